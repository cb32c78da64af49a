"""The softmax subtracts the maximum of the hidden scores from the visible ones.

When a hidden score is hundreds above the others, their exponentials are all zero, and 0 / 0 is NaN. Hide the scores
first, with minus infinity; then find the row's maximum.
"""


def weigh(scores, layer):
    scores = scale(scores, layer)
    powers = torch.exp(hide(scores - scores.detach().amax(dim=-1, keepdim=True), own_mask(layer, scores.shape[-1])))
    return powers / powers.sum(dim=-1, keepdim=True)
