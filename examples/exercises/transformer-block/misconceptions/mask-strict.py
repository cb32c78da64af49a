"""A token does not attend to itself.

The diagonal belongs to what is seen. Only the first token, which would see nothing, sees itself here.
"""


def hide_later(scores):
    seq = scores.shape[-1]
    hidden = torch.ones(seq, seq, dtype=torch.bool).triu(0)
    hidden[0, 0] = False
    return scores.masked_fill(hidden, -math.inf)
