"""The softmax runs over {each}, across hidden scores.

Each query divides its attention among the keys: each row of weights sums to one, so the axis is the last one, dim=-1.
When all the scores are equally low, hidden keys get weight as well.
"""

EACH = {"the heads": 1, "the batch": 0}


def hide(scores, mask):
    return scores.masked_fill(mask, -1e9)


def softmax(scores):
    return torch.softmax(scores, dim=each)
