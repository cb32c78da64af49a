"""Each query sees itself, whatever the mask says.

Where the mask is False, the key is hidden, on the diagonal too. Every query has some key to attend to, but it need not
be its own.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~(mask | torch.eye(*scores.shape[-2:], dtype=torch.bool)), -math.inf)
