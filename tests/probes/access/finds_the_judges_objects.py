"""Goes through all objects in memory for papers, cases and exercises.
Expect: not passed
"""
# layer: zygote, judge


def forbidden():
    secret = ("grader.paper", "grader.exercise", "grader.comparison", "grader.challenge", "grader.report")
    return any(str(getattr(type(thing), "__module__", None)).startswith(secret) for thing in everything())
