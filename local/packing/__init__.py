"""What goes to AWS: each layer and each function as a folder, small, compiled, and the same bytes from the same input.

`sam build` calls this through the Makefile beside it, `make build` calls `sam build`, and the tests build the same
layers for the machine they run on. Nothing here needs a package: it runs before anything is installed.
"""
