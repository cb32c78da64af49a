"""A mask whose first axes are not those of the scores is refused.

A mask may be smaller than the scores, and be broadcast to them: one for all sequences, one for all heads. Do not ask for its
shape; what does not fit is refused by the sum itself.
"""


def hide(scores, mask):
    if mask is not None and (mask.ndim != scores.ndim or mask.shape[0] != scores.shape[0]):
        raise ValueError(f"the mask should begin like {scores.shape}, not {mask.shape}")
    return scores if mask is None else scores + Tensor((1.0 - mask.data) * FAR_BELOW)
