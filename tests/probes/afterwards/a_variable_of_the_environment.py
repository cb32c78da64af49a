"""Finds a variable that an earlier submission set.
Expect: not passed
"""
# layer: zygote
# open: works

def leave():
    os.environ["LEFT"] = "1"


def find():
    return "LEFT" in os.environ
