"""Q is scaled in place.

Q *= ... writes into the caller's tensor, which the caller may still need. Assign the product to a new name.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q.data /= math.sqrt(Q.shape[-1])
    return gather(softmax(hide(compare(Q, K), mask)), V)
