"""The terminal client: real commands against a real server on this machine's own address."""
