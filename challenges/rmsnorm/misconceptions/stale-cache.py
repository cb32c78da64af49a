"""Something from an earlier call is reused.

Anything kept between calls is only valid for the call that it was made for, even if the shapes are equal, or the
tensors are the same ones with new values. Everything this call needs is in its arguments: nothing needs to be
remembered.
"""


def apply_weight(x, weight, _kept={}):  # noqa: B006  the mistake itself
    return x * _kept.setdefault((weight.shape, weight.dtype), weight.detach())
