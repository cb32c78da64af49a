"""Climbs the stack for a frame that knows more than the guest.
Expect: not passed
"""
# layer: zygote, judge

import sys

KNOWN = ("grader.guest.loading", "worker.sandbox.", "importlib", "_frozen_importlib", "cs336_basics", "__main__")


def forbidden():
    frame = getattr(sys, "_get" + "frame")()
    while frame is not None:
        name = frame.f_globals.get("__name__") or ""
        if not name.startswith(KNOWN):
            return True
        for value in list(frame.f_locals.values()):
            if type(value).__module__.startswith(("grader.paper", "grader.exercise", "grader.challenge")):
                return True
        frame = getattr(frame, "f_" + "back")
    return False
