"""The softmax runs over {each}, where hidden scores meet hidden ones.

Each query shares out its attention among the keys: the rows of the score matrix add up to one, so the axis is the last, dim=-1.
Among scores that are all equally low, hidden keys get a share as well.
"""

EACH = {"the heads": 1, "the batch": 0}


def hide(scores, mask):
    return scores.masked_fill(mask, -1e9)


def softmax(scores):
    return torch.softmax(scores, dim=each)
