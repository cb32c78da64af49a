"""The installed challenges, read once in a process: what is worked out for a paper serves all tests that use it."""

from functools import cache

from grader.challenge import Challenge, load_challenges


@cache
def installed() -> dict[str, Challenge]:
    """All of them, by slug; no test changes one."""
    return load_challenges()
