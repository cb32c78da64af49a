"""The softmax overflows for large scores.

exp of a score above 88 is infinite in float32, and infinity over infinity is NaN; exp of a very low one is zero, and so
is a sum of only such terms. Subtract each row's maximum from the scores first: this does not change the softmax.
"""


def weigh(Q, K, mask):
    powers = torch.exp(scale(Q @ K.mT, Q.shape[-1]))
    if mask is not None:
        powers = powers.masked_fill(make_room_for_heads(read_mask(mask)), 0.0)
    return powers / powers.sum(dim=-1, keepdim=True)
