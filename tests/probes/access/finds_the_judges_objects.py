"""Goes through all objects in memory for papers, cases and exercises.
Expect: not passed
"""
# layer: zygote, judge


def forbidden():
    secret = ("grader.paper", "grader.exercise", "grader.compare", "grader.challenge", "grader.report")
    return any(getattr(type(thing), "__module__", None) in secret for thing in everything())
