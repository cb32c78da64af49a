"""Hidden scores overflow and ruin the gradient.

exp of a hidden score may be infinite. where() and masked_fill replace it with zero, so the result is right, but the
gradient of a hidden entry is zero times infinity, which is NaN. Hide the scores before exp, with minus infinity.
"""


def weigh(scores, layer):
    scores = scale(scores, layer)
    mask = own_mask(layer, scores.shape[-1])
    top = hide(scores, mask).detach().amax(dim=-1, keepdim=True)
    powers = torch.where(mask, torch.zeros_like(scores), torch.exp(scores - top))
    return powers / powers.sum(dim=-1, keepdim=True)
