"""Single numbers are cut off at max_norm, which changes the direction."""
def clip_gradients(parameters, max_norm, eps=1e-6):
    for p in parameters:
        if p.grad is not None:
            p.grad.clamp_(-max_norm, max_norm)
