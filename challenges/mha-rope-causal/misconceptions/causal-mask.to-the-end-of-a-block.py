"""Tokens see up to the end of their block of {each}.

The mask compares blocks instead of tokens, so within a block all tokens see each other, later ones too. Where the
diagonal runs through a block, each token needs its own row of the triangle.
"""

EACH = {"2": 2, "4": 4, "8": 8, "16": 16, "32": 32, "64": 64}


def up_to_itself(seq):
    block = torch.arange(seq) // each
    return block[:, None] >= block
