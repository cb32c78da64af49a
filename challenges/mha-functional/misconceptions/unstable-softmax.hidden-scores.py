"""The softmax is taken over hidden keys too.

Their weights are set to zero only afterwards. A hidden score far above the others takes the whole softmax: the visible
keys then get zero weight as well, and 0 / 0 is NaN. Hide the scores first, with minus infinity.
"""


def weigh(Q, K, mask):
    weights = softmax(scale(Q @ K.mT, Q.shape[-1]))
    if mask is None:
        return weights
    weights = weights.masked_fill(make_room_for_heads(read_mask(mask)), 0.0)
    return weights / weights.sum(dim=-1, keepdim=True)
