"""The {each} sees later tokens.

All heads share the causal mask, and yours leaves one of them out. A mask of shape (tokens, tokens) broadcasts over all
heads.
"""

EACH = {"first head": 0, "last head": -1}


def hide(scores, mask):
    if scores.dim() == 3:
        return scores.masked_fill(mask, -math.inf)
    hidden = mask.expand(scores.shape).clone()
    hidden[:, each] = False
    return scores.masked_fill(hidden, -math.inf)
