"""Mistakes that can be told by what is seen of a submission, whatever code with the mistake would give."""

from enum import StrEnum


class Symptom(StrEnum):
    """The ids under which challenges describe such mistakes. One that a challenge does not describe is not told."""

    REMEMBERS = "stale-cache"  # shows only between calls, so that no single call can be compared
    DETACHED = "detached-gradient"
    CHANGES_INPUT = "input-mutated"
    RETURNS_TUPLE = "returns-tuple"
