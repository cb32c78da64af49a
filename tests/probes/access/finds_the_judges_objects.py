"""Goes through all objects in memory for papers, cases and exercises.
Expect: not passed
"""
# layer: zygote, judge

import gc
import sys


def forbidden():
    everything = getattr(gc, "get_" + "objects")()
    secret = ("grader.paper", "grader.exercise", "grader.compare", "grader.challenge", "grader.report")
    return any(getattr(type(thing), "__module__", None) in secret for thing in everything)
