"""Each token sees only {each} tokens: itself and those right before it.

A causal mask has no lower limit: all earlier tokens may be seen, however far back they are. Yours is a window.
"""

EACH = {
    "three": 3,
    "four": 4,
    "five": 5,
    "eight": 8,
    "nine": 9,
    "16": 16,
    "17": 17,
    "32": 32,
    "33": 33,
    "64": 64,
    "65": 65,
    "128": 128,
    "129": 129,
}


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).tril().triu(1 - each)
