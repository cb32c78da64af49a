"""A call under no_grad ends dropout {each}.

Dropout does not depend on whether gradients are recorded: train() and eval() switch it on and off, and that is up to
the caller. Leave self.training alone.
"""

EACH = {"for good": True, "for that call": False}


def drop(weights, layer):
    if torch.is_grad_enabled():
        return layer.dropout(weights)
    if each:
        layer.eval()
    return weights
