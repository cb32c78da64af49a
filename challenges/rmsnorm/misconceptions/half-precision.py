"""x is rounded to {each} on the way.

A half-precision type keeps three digits, and float16 ends at 65,504. float32 and float64 inputs lose the rest of theirs
on that way. Compute in float32 at least.
"""

EACH = {"float16": "float16", "bfloat16": "bfloat16"}


def widen(x):
    return x.to(getattr(torch, each)).to(torch.promote_types(x.dtype, torch.float32))
