"""The root mean square is treated as a constant.

It depends on x too, and its share of the gradient is missing. Leave out `.detach()` and `torch.no_grad()`.
"""


def mean_square(x):
    return x.detach().square().mean(dim=-1, keepdim=True)
