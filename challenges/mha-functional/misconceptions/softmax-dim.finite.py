"""The softmax runs over the queries.

Each query divides its attention among the keys: each row of weights sums to one, so the axis is the last one, dim=-1.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=-2, keepdim=True))
    return weights / weights.sum(dim=-2, keepdim=True)


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), -1e9)
