"""The softmax counts its axis from the front.

dim=3 is the keys' axis only when there are four axes. Counted from the end, dim=-1, the same line works for any number
of axes.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=3, keepdim=True))
    return weights / weights.sum(dim=3, keepdim=True)
