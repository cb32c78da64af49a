"""The scores are divided by head_dim itself.

The standard deviation of a sum of head_dim products is the root of head_dim. If you divide by head_dim itself, the
scores become too small and the softmax too flat.
"""


def scale(scores, layer):
    return scores / layer.head_dim
