"""Commands of `readdo`: each module has one, named `command`."""
