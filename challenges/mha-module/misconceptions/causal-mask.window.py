"""A token sees only the last {each} tokens, itself included.

A causal mask has no lower limit: all earlier tokens may be seen, however far back they are. Yours is a window.
"""

EACH = {"2": 2, "3": 3, "4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def later_tokens(context_length):
    return ~torch.ones(context_length, context_length, dtype=torch.bool).tril().triu(1 - each)
