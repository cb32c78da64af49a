"""Blocks of {each} keys, each with a maximum of its own, are added up as they are.

exp(score - maximum) can only be compared between two blocks when both subtracted the same maximum. Bring them to a
common one first: multiply by exp(own maximum - common maximum). Long sequences have more than one block.
"""

EACH = {"8": 8, "16": 16, "32": 32, "64": 64, "128": 128}


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores, total, weighed = hide(scale(compare(Q, K), Q.shape[-1]), mask), 0.0, 0.0
    for block, values in zip(scores.split(each, dim=-1), V.split(each, dim=-2), strict=True):
        powers = torch.exp(block - block.detach().amax(dim=-1, keepdim=True).clamp(min=torch.finfo(block.dtype).min))
        total = total + powers.sum(dim=-1, keepdim=True)
        weighed = weighed + gather(powers, values)
    return weighed / total
