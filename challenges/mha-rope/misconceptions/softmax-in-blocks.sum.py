"""A running softmax over blocks of {each} keys is not corrected.

When a later block has a higher score, the sum of the weights so far is relative to the old maximum, and must be
multiplied by exp(old maximum - new maximum). Long sequences have more than one block.
"""

EACH = {"8": 8, "16": 16, "32": 32, "64": 64, "128": 128}


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = hide(scale(compare(Q, K), Q.shape[-1]), mask)
    top, total, weighed = torch.full_like(scores[..., :1], torch.finfo(scores.dtype).min), 0.0, 0.0
    for block, values in zip(scores.split(each, dim=-1), V.split(each, dim=-2), strict=True):
        new = torch.maximum(top, block.detach().amax(dim=-1, keepdim=True))
        powers = torch.exp(block - new)
        kept = torch.exp(top - new)
        total = total + powers.sum(dim=-1, keepdim=True)
        weighed = weighed * kept + gather(powers, values)
        top = new
    return weighed / total
