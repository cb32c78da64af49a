"""Later tokens are not hidden in {each}.

The mask is no aid for training: what comes later is hidden in train() and in eval() alike. Only dropout asks for the mode.
"""

EACH = {"eval()": False, "train()": True}


def weigh(scores, layer):
    scores = scale(scores, layer)
    return softmax(scores if layer.training is each else hide(scores, own_mask(layer, scores.shape[-1])))
