"""The mask is only applied to the first sequence.

Later tokens must be hidden in every sequence of the batch. A mask of shape (tokens, tokens) works for all of them:
broadcasting does the rest.
"""


def hide(scores, mask):
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    hidden[0] = mask
    return scores.masked_fill(hidden, -math.inf)
