"""The mask is read in memory order.

A transposed view is not stored in memory in the order of its axes, and order="K" and ravel("K") use the memory order.
Reshape without them and rely on the axes.
"""

import numpy as np


def mask_for_heads(mask):
    if mask is None or mask.ndim != 3:
        return mask
    batch, queries, keys = mask.shape
    return Tensor(np.ravel(mask.data, order="K").reshape(batch, 1, queries, keys))
