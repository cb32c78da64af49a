"""The softmax overflows for large scores.

exp of a score above 88 is infinite in float32, even for a hidden one: infinity times zero is NaN, and so is infinity
over infinity. Hide the scores first, then subtract each row's maximum: this does not change the softmax.
"""


def weigh(Q, K, mask):
    powers = torch.exp(scale(Q @ K.mT, Q.shape[-1]))
    if mask is not None:
        powers = powers * ~make_room_for_heads(read_mask(mask))
    return powers / powers.sum(dim=-1, keepdim=True)
