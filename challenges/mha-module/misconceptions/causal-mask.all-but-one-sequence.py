"""In the {each} later tokens are not hidden.

All sequences of the batch share the causal mask, and yours leaves one of them out. A mask of shape (tokens, tokens)
broadcasts over all sequences.
"""

EACH = {"first sequence": 0, "last sequence": -1}


def hide(scores, mask):
    hidden = mask.expand(scores.shape).clone()
    hidden[each] = False
    return scores.masked_fill(hidden, -math.inf)
