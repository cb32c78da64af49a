"""The softmax is taken over hidden keys too.

Their weights are set to zero only afterwards. A hidden score far above the others takes the whole softmax: the visible
keys then get zero weight as well, and 0 / 0 is NaN. Hide the scores first, with minus infinity.
"""


def weigh(scores, layer):
    scores = scale(scores, layer)
    weights = softmax(scores).masked_fill(own_mask(layer, scores.shape[-1]), 0.0)
    return weights / weights.sum(dim=-1, keepdim=True)
