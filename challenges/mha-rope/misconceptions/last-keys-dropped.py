"""The keys after the last whole block of {each} are dropped.

The length need not be a multiple of the block size. What is left over is a block too, just a shorter one.
"""

EACH = {"4": 4, "8": 8, "16": 16, "32": 32, "64": 64, "128": 128}


def gather(weights, V):
    return weights @ V[..., : weights.shape[-1], :]


def softmax(scores):
    keys = scores.shape[-1]
    scores = scores[..., : keys // each * each or keys]
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)
