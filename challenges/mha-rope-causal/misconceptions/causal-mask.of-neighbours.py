"""Each token sees only itself and the one right before it.

A causal mask has no lower limit: all earlier tokens may be seen, however far back they are. Yours is a band.
"""


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).tril().triu(-1)
