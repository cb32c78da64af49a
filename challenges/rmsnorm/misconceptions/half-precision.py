"""x is rounded to {each} on the way.

Half precision keeps only two or three digits, and float16 only goes up to 65,504. float32 and float64 inputs lose the
rest of their digits that way. Compute in float32 or better.
"""

EACH = {"float16": "float16", "bfloat16": "bfloat16"}


def widen(x):
    return x.to(getattr(torch, each)).to(torch.promote_types(x.dtype, torch.float32))
