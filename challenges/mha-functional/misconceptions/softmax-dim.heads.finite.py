"""The softmax runs over the heads.

dim=1 is the axis of the heads here. Heads do not compete with each other; in each head, a query divides its attention
among the keys, along the last axis.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=1, keepdim=True))
    return weights / weights.sum(dim=1, keepdim=True)


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), -1e9)
