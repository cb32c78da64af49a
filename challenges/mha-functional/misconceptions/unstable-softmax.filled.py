"""The softmax overflows for large scores.

exp of a score above 88 is infinite in float32, and infinite over infinite is NaN; exp of a very low one is zero, and so is the
sum of such. Take the row's maximum off the scores first: it does not change the softmax.
"""


def weigh(Q, K, mask):
    powers = torch.exp(scale(Q @ K.mT, Q.shape[-1]))
    if mask is not None:
        powers = powers.masked_fill(make_room_for_heads(read_mask(mask)), 0.0)
    return powers / powers.sum(dim=-1, keepdim=True)
