"""The bug hunt: a right solution with one misconception planted, to be mended by a small change. Knows no torch."""

from grader.hunt.bank import Bug, HuntBank, HuntError, Observed, Planted, Told
from grader.hunt.change import CHANGE_MAX, changed_lines
from grader.hunt.near import is_near, runs_text, shape_of
from grader.hunt.tokens import NoPython

__all__ = [
    "CHANGE_MAX",
    "Bug",
    "HuntBank",
    "HuntError",
    "NoPython",
    "Observed",
    "Planted",
    "Told",
    "changed_lines",
    "is_near",
    "runs_text",
    "shape_of",
]
