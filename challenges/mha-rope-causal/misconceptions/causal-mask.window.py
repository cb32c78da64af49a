"""Each token sees {each} tokens only, itself and those right before it.

A causal mask has no lower end: all earlier tokens may be seen, however far back they are. Yours is a window.
"""

EACH = {"three": 3, "four": 4, "eight": 8}


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).tril().triu(1 - each)
