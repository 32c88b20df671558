"""Errors of the runner itself: it prints their message and exits with 2."""


class RunnerError(Exception):
    pass
