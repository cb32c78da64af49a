"""The mask has no effect in the attention function.

scaled_dot_product_attention returns the same with and without a mask. Where the mask is 0.0, the scores must be pushed
far down before the softmax, for example by 1e9 (1e-9 would do almost nothing). And operations create new Tensors, so
assign the masked scores to a name.
"""


def hide(scores, mask):
    return scores
