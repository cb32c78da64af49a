"""Only logits with {each} axes are accepted.

There may be any number of leading axes, or none. Lay all positions in a row with reshape(-1, vocab_size), or count
axes from the end.
"""

EACH = {"two": 2, "three": 3}


def widen(logits):
    if logits.dim() != each:
        raise ValueError(f"logits must have {each} axes")
    return logits.to(torch.promote_types(logits.dtype, torch.float32))
