"""A mask whose first axes differ from those of the scores is rejected.

A mask may be smaller than the scores and broadcast to them: one for all sequences, or one for all heads. Do not check
its shape; if it does not fit, the addition raises an error anyway.
"""


def hide(scores, mask):
    if mask is not None and (mask.ndim != scores.ndim or mask.shape[0] != scores.shape[0]):
        raise ValueError(f"the mask should begin like {scores.shape}, not {mask.shape}")
    return scores if mask is None else scores + Tensor((1.0 - mask.data) * FAR_BELOW)
