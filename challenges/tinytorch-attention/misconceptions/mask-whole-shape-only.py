"""A mask with a different shape from the scores is rejected.

A mask may broadcast: (1, seq, seq) and (seq, seq) apply to all sequences of the batch. Leave the shapes to
broadcasting.
"""


def hide(scores, mask):
    if mask is not None and scores.ndim == 3 and mask.shape != scores.shape:
        raise ValueError(f"the mask should be {scores.shape}, not {mask.shape}")
    return scores if mask is None else scores + Tensor((1.0 - mask.data) * FAR_BELOW)
