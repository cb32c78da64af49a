"""Something from an earlier call is reused.

Anything kept between calls (a mask, say) depends on everything it was made from. If it is made once and reused, it is
only right for the first call. Compute it again each time.
"""

_kept = {}


def hide(scores, mask):
    if mask is None:
        return scores
    return scores + _kept.setdefault(mask.shape, Tensor((1.0 - mask.data) * FAR_BELOW))
