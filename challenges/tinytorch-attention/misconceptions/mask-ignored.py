"""The mask has no effect in the attention function.

scaled_dot_product_attention gives the same with and without its mask. Where the mask is 0.0, the scores must be pushed far
down before the softmax: by 1e9, say, where 1e-9 would be next to nothing. And operations make new Tensors, so the masked
scores must be kept under some name.
"""


def hide(scores, mask):
    return scores
