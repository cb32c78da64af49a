"""The {each} token is missing from the sum.

The sum runs over the whole vocabulary, the target and the ends included.
"""

EACH = {"last": (0, -1), "first": (1, None)}


def log_sum(shifted):
    kept = shifted[..., slice(*each)] if shifted.shape[-1] > 1 else shifted
    return torch.log(torch.exp(kept).sum(dim=-1))
