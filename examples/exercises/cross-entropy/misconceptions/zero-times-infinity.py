"""Impossible tokens make the loss NaN.

A product with a one-hot vector meets zero times minus infinity, which is not a number. Look the target's logit up, or
leave the others out by a condition.
"""


def chosen(shifted, targets):
    one_hot = torch.nn.functional.one_hot(targets, shifted.shape[-1]).to(shifted.dtype)
    return (shifted * one_hot).sum(dim=-1)
