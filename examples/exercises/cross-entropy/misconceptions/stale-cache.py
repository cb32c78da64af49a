"""Something from an earlier call is used again.

Whatever is kept between calls was right for that call, even if shapes are the same or the tensors are the same ones
with new values. Everything a call needs is in its arguments.
"""


def log_sum(shifted, _kept={}):  # noqa: B006  the mistake itself
    return _kept.setdefault(shifted.shape, torch.log(torch.exp(shifted).sum(dim=-1)).detach())
