"""The softmax subtracts the maximum of the hidden scores from the visible ones.

When a hidden score is hundreds above the others, their exponentials are all zero, and 0 / 0 is NaN. Hide the scores
first, with minus infinity; then find the row's maximum.
"""


def weigh(Q, K, mask):
    scores = scale(Q @ K.mT, Q.shape[-1])
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    if mask is not None:
        powers = powers.masked_fill(make_room_for_heads(read_mask(mask)), 0.0)
    return powers / powers.sum(dim=-1, keepdim=True)
