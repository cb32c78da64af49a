"""The mask reaches the first sequence only.

In each sequence of the batch later tokens are hidden. A mask of shape (tokens, tokens) is good for all of them:
broadcasting does the rest.
"""


def hide(scores, mask):
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    hidden[0] = mask
    return scores.masked_fill(hidden, -math.inf)
