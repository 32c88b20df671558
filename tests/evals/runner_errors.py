"""What goes wrong with the runner itself, in words: exit 2, and never a traceback."""


class Told(Exception):
    pass
