"""Something from an earlier call is used again.

What is kept between calls (a mask, say) must depend on everything it was made from. Made once and used for all, it is
right only for the first call. Compute it anew each time.
"""

_kept = {}


def hide(scores, mask):
    if mask is None:
        return scores
    return scores + _kept.setdefault(mask.shape, Tensor((1.0 - mask.data) * FAR_BELOW))
