"""Tokens see nothing before their own block of {each}.

A causal mask has no lower limit: all earlier tokens may be seen, whatever block they are in. Working in blocks may save
memory, but the results of all blocks must be combined.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def up_to_itself(seq):
    block = torch.arange(seq) // each
    return torch.ones(seq, seq, dtype=torch.bool).tril() & (block[:, None] == block)
