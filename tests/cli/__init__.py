"""Tests of the terminal client: real commands against a real server on loopback."""
