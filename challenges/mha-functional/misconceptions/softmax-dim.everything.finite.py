"""One softmax runs over all queries and keys.

Each query divides its own attention: its row sums to one. Over the whole matrix, the weights of all queries together
sum to one.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=(-2, -1), keepdim=True))
    return weights / weights.sum(dim=(-2, -1), keepdim=True)


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), -1e9)
