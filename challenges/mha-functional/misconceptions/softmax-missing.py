"""There is no softmax.

Scores are not weights: they may be negative and sum to anything. The softmax over the keys turns them into weights.
"""


def weigh(Q, K, mask):
    scores = scale(Q @ K.mT, Q.shape[-1])
    return scores if mask is None else scores.masked_fill(make_room_for_heads(read_mask(mask)), 0.0)
