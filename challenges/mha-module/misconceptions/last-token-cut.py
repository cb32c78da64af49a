"""A sequence of context_length tokens loses its {each} one.

context_length tokens are allowed: only a longer sequence would have to be truncated. Compare with > instead of >=, or
do not truncate at all.
"""

EACH = {"last": (0, -1), "first": (1, None)}


def project_qkv(layer, x):
    if x.shape[1] > 1 and x.shape[1] >= len(layer.mask):
        x = x[:, slice(*each)]
    return layer.W_query(x), layer.W_key(x), layer.W_value(x)
