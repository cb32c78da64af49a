"""The {each} weight gets half of its gradient.

The numbers are right, but they are partly computed from a detached copy of the weight, and that part passes no gradient
on. Use the weight that you were given.
"""

EACH = {"query": 0, "key": 1, "value": 2, "output": 3}


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    return tuple(project(x, (w + w.detach()) / 2 if place == each else w) for place, w in enumerate(weights))


def project_output(merged, o_proj_weight):
    return project(merged, (o_proj_weight + o_proj_weight.detach()) / 2 if each == 3 else o_proj_weight)
