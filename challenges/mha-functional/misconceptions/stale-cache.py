"""Weights from an earlier call are used again.

Layers that are kept between calls keep the weights that they were made with. The weights of this call are in its
arguments; nothing needs to be remembered.
"""


def split_in_proj(in_proj_weight, _kept={}):  # noqa: B006  the mistake itself
    query, key, value = _kept.setdefault(tuple(in_proj_weight.shape), in_proj_weight).unflatten(0, (3, -1))
    return query, key, value
