"""The sum of the squares is divided by {each}.

What is averaged are the features: divide by their number, d_model.
"""

EACH = {"the number of tokens": 0, "the number of all values": 1, "d_model + 1": 2}


def mean_square(x):
    tokens = x.shape[-2] if x.dim() > 1 else 1
    return x.square().sum(dim=-1, keepdim=True) / (tokens, x.numel(), x.shape[-1] + 1)[each]
