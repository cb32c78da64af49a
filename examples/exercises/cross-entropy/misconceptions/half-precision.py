"""The logits are rounded to {each} on the way.

Half precision keeps about three digits. float32 and float64 logits lose the rest of their digits that way.
"""

EACH = {"float16": "float16", "bfloat16": "bfloat16"}


def widen(logits):
    return logits.to(getattr(torch, each)).to(torch.promote_types(logits.dtype, torch.float32))
