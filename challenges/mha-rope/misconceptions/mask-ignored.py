"""The mask is ignored.

scaled_dot_product_attention takes a mask, True where a query may attend. The scores of all other keys must become
minus infinity before the softmax.
"""


def hide(scores, mask):
    return scores
