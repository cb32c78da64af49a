"""The graph is cut at the mask.

Tensor(scores.data + ...) has the right numbers but no history: backward() stops there. Make a Tensor from the mask
only, and add it to the scores as a Tensor.
"""


def hide(scores, mask):
    return scores if mask is None else Tensor(scores.data + (1.0 - mask.data) * FAR_BELOW)
