"""The list of attempts, and what they share.

An attempt is a function of a World (test/e2e/cli/world.py).  It returns what
came of it in a few words, such as "refused", and raises when the promise is
broken.
"""
from collections import namedtuple

Attempt = namedtuple("Attempt", "promise way what function")
ATTEMPTS = []


def attempt(promise, way):
    """promise: a few words from README or the issue; way: stdio, http, ws,
    hook, control, shell ...; the function's name says what is tried."""
    def add(function):
        what = function.__name__.replace("_", " ")
        ATTEMPTS.append(Attempt(promise, way, what, function))
        return function
    return add
