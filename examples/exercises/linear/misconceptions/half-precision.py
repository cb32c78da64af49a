"""The numbers are rounded to {each} on the way.

Half precision keeps about three digits. float32 and float64 lose the rest of their digits that way.
"""

EACH = {"float16": "float16", "bfloat16": "bfloat16"}


def applied(x, weight):
    half = getattr(torch, each)
    return (x.to(half).float() @ weight.to(half).float().T).to(x.dtype)
