"""The weights are masked after the softmax, and no longer sum to one.

Once the softmax is done, hidden keys have already taken their share; setting it to zero leaves too little for the
others. Mask the scores before the softmax, which then divides all of the attention among the rest.
"""


def weigh(Q, K, mask):
    weights = softmax(scale(Q @ K.mT, Q.shape[-1]))
    return weights if mask is None else weights.masked_fill(make_room_for_heads(read_mask(mask)), 0.0)
