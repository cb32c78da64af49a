"""The gradient of the {each} weight is clipped inside your function.

Your code clips the incoming gradient at 1. Clipping is up to the training loop; here the gradients must be those of the
formula.
"""

EACH = {"query": 0, "key": 1, "value": 2, "output": 3}


def clip(weight):
    if not weight.requires_grad:
        return weight
    weight = weight * 1
    weight.register_hook(lambda gradient: gradient.clamp(-1.0, 1.0))
    return weight


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    return tuple(project(x, clip(weight) if place == each else weight) for place, weight in enumerate(weights))


def project_output(merged, o_proj_weight):
    return project(merged, clip(o_proj_weight) if each == 3 else o_proj_weight)
