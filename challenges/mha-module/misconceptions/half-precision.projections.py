"""The queries, keys and values are rounded to {each}.

Fewer digits are enough for some models, but not here: results are compared with a float64 reference. Stay in the dtype
of the input.
"""

EACH = {"bfloat16": "bfloat16", "float16": "float16"}


def project_qkv(layer, x):
    projected = layer.W_query(x), layer.W_key(x), layer.W_value(x)
    return tuple(y.to(getattr(torch, each)).to(x.dtype) for y in projected)
