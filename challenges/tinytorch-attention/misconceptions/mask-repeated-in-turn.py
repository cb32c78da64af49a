"""With heads in the batch axis, sequences get each other's masks.

When heads are merged into the batch axis, the heads of a sequence are adjacent, so each mask must be repeated num_heads
times in a row (np.repeat), not the whole batch of masks again and again (np.tile).
"""

import numpy as np


def attend(Q, K, V, mask):
    batch, heads, seq, _ = Q.shape
    if mask is not None and mask.shape == (batch, 1, seq, seq):
        mask = Tensor(np.tile(mask.data[:, 0], (heads, 1, 1))[: batch * heads].reshape(batch, heads, seq, seq))
    output, _ = scaled_dot_product_attention(Q, K, V, mask)
    return output
