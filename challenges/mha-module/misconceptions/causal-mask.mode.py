"""Later tokens are not hidden in {each}.

The mask is not just for training: later tokens are hidden in train() and in eval() alike. Only dropout depends on the
mode.
"""

EACH = {"eval()": False, "train()": True}


def weigh(scores, layer):
    scores = scale(scores, layer)
    return softmax(scores if layer.training is each else hide(scores, own_mask(layer, scores.shape[-1])))
