"""The sum of the squares is divided by {each}.

The mean is over the features: divide by their number, d_model.
"""

EACH = {
    "the number of tokens": "tokens",
    "the number of all values": "all",
    "the length of the first axis": "first",
    "the length of the second axis": "second",
    "d_model + 1": "more",
}


def mean_square(x):
    tokens = x.shape[-2] if x.dim() > 1 else 1
    second = x.shape[min(1, x.dim() - 1)]
    by = {"tokens": tokens, "all": x.numel(), "first": x.shape[0], "second": second, "more": x.shape[-1] + 1}
    return x.square().sum(dim=-1, keepdim=True) / by[each]
