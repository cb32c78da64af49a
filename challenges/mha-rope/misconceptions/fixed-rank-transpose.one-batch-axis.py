"""Only one batch axis is foreseen.

Code that names exactly one batch axis, in an einops pattern or in `batch, seq, d_model = x.shape`, serves (batch, seq, d_model)
and stops at two. Write `...` for all that stands before, or count axes from the end.
"""


def split_heads(x, num_heads):
    if x.dim() > 3:
        message = f"too many values to unpack (expected 3, got {x.dim()})"
        raise ValueError(message)
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
