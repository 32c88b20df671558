"""Build layers and functions for AWS: small, compiled and reproducible.

`make build` calls `sam build`, which calls this package through its Makefile. The tests build the same layers for the
local machine. Uses only the standard library, because it runs before any package is installed.
"""
