"""No gradient flows back through the {each}.

Tensor(something.data) has the right numbers but no history: backward() stops there, and whatever the {each} are
computed from never learns from them. Use only operations on Tensors.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def scaled_dot_product_attention(Q, K, V, mask=None):
    Q, K, V = (Tensor(x.data) if place == each else x for place, x in enumerate((Q, K, V)))
    weights = weigh(hide(scale(score(Q, K), Q.shape[-1]), mask))
    return mix(weights, V), weights
