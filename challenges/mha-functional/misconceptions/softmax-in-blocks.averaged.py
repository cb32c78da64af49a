"""Each block of {each} keys has a softmax of its own.

A query's weights must sum to one over all keys. Averaging the results of the blocks gives each block the same share,
however well its keys match. Long sequences have more than one block.
"""

EACH = {"16": 16, "32": 32, "64": 64, "128": 128}


def attend(Q, K, V, mask):
    scores = hide(scale(Q @ K.mT, Q.shape[-1]), mask).clamp(min=-1e9)
    parts = [softmax(block) @ value for block, value in zip(scores.split(each, -1), V.split(each, -2), strict=True)]
    return sum(parts) / len(parts)
