"""A running softmax over blocks of {each} keys is not corrected.

When a later block has a higher score, everything summed so far is relative to the old maximum, and must be multiplied
by exp(old maximum - new maximum). Long sequences have more than one block.
"""

EACH = {"16": 16, "32": 32, "64": 64, "128": 128}


def attend(Q, K, V, mask):
    scores = hide(scale(Q @ K.mT, Q.shape[-1]), mask)
    top = torch.full_like(scores[..., :1], torch.finfo(scores.dtype).min)
    total, weighed = torch.zeros_like(scores[..., :1]), torch.zeros_like(Q)
    for start in range(0, K.shape[-2], each):
        block = scores[..., start : start + each]
        top = torch.maximum(top, block.detach().amax(dim=-1, keepdim=True))
        powers = torch.exp(block - top)
        total = total + powers.sum(dim=-1, keepdim=True)
        weighed = weighed + powers @ V[..., start : start + each, :]
    return weighed / total
