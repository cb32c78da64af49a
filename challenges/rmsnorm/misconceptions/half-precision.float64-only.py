"""A float64 x is rounded to float16 on the way.

Half precision keeps about three digits, and float16 only goes up to 65,504. A float64 input must not pass through it:
compute in float32 or better.
"""


def widen(x):
    narrow = x.half() if x.dtype == torch.float64 else x
    return narrow.to(torch.promote_types(x.dtype, torch.float32))
