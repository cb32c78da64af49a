"""A token sees the next one too.

The triangle is one diagonal too large: the answer that a language model is to predict is among the keys.
"""


def hide_later(scores):
    seq = scores.shape[-1]
    return scores.masked_fill(torch.ones(seq, seq, dtype=torch.bool).triu(2), -math.inf)
