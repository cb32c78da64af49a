"""A float64 x is rounded to float16 on the way.

A half-precision type keeps three digits, and float16 ends at 65,504. What comes in as float64 must not pass through it:
compute in float32 at least.
"""


def widen(x):
    narrow = x.half() if x.dtype == torch.float64 else x
    return narrow.to(torch.promote_types(x.dtype, torch.float32))
