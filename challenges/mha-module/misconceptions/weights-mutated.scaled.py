"""Instead of the scores, your code scales the weights of the {each}.

Weights that are set later, by training or from a state_dict, are then not scaled, nor is a bias, and the saved weights
differ from the original ones. Divide the scores in every call.
"""

EACH = {
    "queries, once": ("W_query", True),
    "keys, once": ("W_key", True),
    "queries, at each call": ("W_query", False),
    "keys, at each call": ("W_key", False),
}


def project_qkv(layer, x):
    name, is_once = each
    if not (is_once and layer.__dict__.get("is_scaled")):
        getattr(layer, name).weight.data /= math.sqrt(layer.head_dim)
        layer.__dict__["is_scaled"] = True
    return layer.W_query(x), layer.W_key(x), layer.W_value(x)


def scale(scores, layer):
    return scores
