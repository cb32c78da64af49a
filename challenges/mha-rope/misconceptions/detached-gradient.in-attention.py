"""The {each} are cut off from the graph inside the attention.

The numbers are right, but no gradient reaches the {each}. Gradients must flow through scaled_dot_product_attention to
all three: nothing in it may be detached, except the maximum that the softmax subtracts.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q, K, V = (x.detach() if place == each else x for place, x in enumerate((Q, K, V)))
    return gather(softmax(hide(scale(compare(Q, K), Q.shape[-1]), mask)), V)
