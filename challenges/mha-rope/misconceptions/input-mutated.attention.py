"""Q is scaled in place.

Q *= ... writes into the caller's tensor, who may still need it. Write the product to a name of its own.
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q.data /= math.sqrt(Q.shape[-1])
    return gather(softmax(hide(compare(Q, K), mask)), V)
