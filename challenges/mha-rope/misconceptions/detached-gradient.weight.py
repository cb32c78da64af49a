"""The {each} weight is cut off from the graph.

A copy in nn.Parameter or nn.Linear, .data or .detach() makes a new tensor with no link to the original. Use the weight
that you were given.
"""

EACH = {"query": 0, "key": 1, "value": 2}


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    return tuple(project(x, weight.detach() if place == each else weight) for place, weight in enumerate(weights))
