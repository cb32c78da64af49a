"""The rows are rounded to {each} on the way.

Half precision keeps about three digits. float32 and float64 lose the rest of their digits that way.
"""

EACH = {"float16": "float16", "bfloat16": "bfloat16"}


def looked_up(weight, token_ids):
    return weight[token_ids].to(getattr(torch, each)).to(weight.dtype)
