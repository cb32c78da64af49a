"""Something from an earlier call is used again.

What is kept between calls belongs to the call that it was made for, even where shapes are equal, or the tensors are the
same ones with other values. All that this call needs is in its arguments: nothing needs to be remembered.
"""


def apply_weight(x, weight, _kept={}):  # noqa: B006  the mistake itself
    return x * _kept.setdefault((weight.shape, weight.dtype), weight.detach())
