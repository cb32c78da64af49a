"""The mask is ignored.

scaled_dot_product_attention takes a mask, True where a query may attend. Set the scores of all other keys to minus
infinity before the softmax.
"""


def hide(scores, mask):
    return scores
