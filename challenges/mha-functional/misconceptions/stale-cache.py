"""Something from an earlier call is reused.

Anything kept between calls (a layer with its weights, a mask) is only valid for the call that it was made for.
Everything this call needs is in its arguments; nothing needs to be remembered.
"""


def split_in_proj(in_proj_weight, _kept={}):  # noqa: B006  the mistake itself
    query, key, value = _kept.setdefault(tuple(in_proj_weight.shape), in_proj_weight).unflatten(0, (3, -1))
    return query, key, value
