"""The softmax runs over the batch.

What one sequence gets then depends on the others. Each query shares out its attention among the keys: the rows of the score
matrix sum to one, so the axis is the last, dim=-1.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax(dim=0, keepdim=True))
    return weights / weights.sum(dim=0, keepdim=True)


def hide(scores, mask):
    return scores if mask is None else scores + make_room_for_heads(read_mask(mask)) * -1e9
