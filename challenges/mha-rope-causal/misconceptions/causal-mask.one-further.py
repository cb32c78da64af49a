"""Each token sees the next one, too.

The diagonal of the mask is off by one. Check the second argument of tril or triu: the last token that a query sees is
itself.
"""


def up_to_itself(seq):
    return torch.ones(seq, seq, dtype=torch.bool).tril(1)
