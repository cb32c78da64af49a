"""The keys after the last whole block of {each} are dropped.

The length need not be a multiple of the block size. What is left over is a block too, just a shorter one.
"""

EACH = {"16": 16, "32": 32, "64": 64}


def attend(Q, K, V, mask):
    length = K.shape[-2]
    whole = length // each * each or length
    scores = scale(Q @ K.mT, Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(make_room_for_heads(read_mask(mask)), -1e9)
    return softmax(scores[..., :whole]) @ V[..., :whole, :]
