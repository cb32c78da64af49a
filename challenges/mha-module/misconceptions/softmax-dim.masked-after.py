"""The softmax runs over {each}, and later tokens are set to zero afterwards.

Each query divides its attention among the keys it sees: each row of weights sums to one, so the axis is the last one,
dim=-1, and scores are hidden before the softmax.
"""

EACH = {"the queries": (-2,), "the heads": (1,), "the batch": (0,), "queries and keys": (-2, -1)}


def weigh(scores, layer):
    scores = scale(scores, layer)
    weights = torch.exp(scores - scores.amax(dim=each, keepdim=True))
    weights = weights / weights.sum(dim=each, keepdim=True)
    return weights.masked_fill(own_mask(layer, scores.shape[-1]), 0.0)
