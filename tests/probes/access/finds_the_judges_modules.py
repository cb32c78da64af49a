"""Looks for modules of the judge that were imported before it.
Expect: not passed
"""
# layer: zygote

import sys


def forbidden():
    names = ("grade", "comparison", "paper", "exercise", "challenge", "diagnosis", "report", "questions", "inprocess")
    return any(f"grader.{name}" in sys.modules for name in names) or any("challenges" in name for name in sys.modules)
