"""Only one batch axis is supported.

Code that names exactly one batch axis, in an einops pattern or in `batch, seq, d_model = x.shape`, works for (batch,
seq, d_model) and fails with two. Write `...` for all leading axes, or count axes from the end.
"""


def split_heads(x, num_heads):
    if x.dim() > 3:
        message = f"too many values to unpack (expected 3, got {x.dim()})"
        raise ValueError(message)
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
