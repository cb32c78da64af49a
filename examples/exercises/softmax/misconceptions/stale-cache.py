"""Something from an earlier call is used again.

Whatever is kept between calls was right for that call, even if the shape is the same or the tensor is the same one
with new values. Everything a call needs is in its arguments.
"""


def largest(x, dim, _kept={}):  # noqa: B006  the mistake itself
    return _kept.setdefault((x.shape, dim), x.amax(dim=dim, keepdim=True).detach())


def total(e, dim, _kept={}):  # noqa: B006  the mistake itself
    return _kept.setdefault((e.shape, dim), e.sum(dim=dim, keepdim=True).detach())
