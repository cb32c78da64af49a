"""The {each} are cut off from the graph.

No gradient flows back through the {each}: neither their input nor their block of in_proj_weight learns. Remove
.detach(), .data or no_grad there.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def project_inputs(q, k, v, in_proj_weight):
    weights = split_in_proj(in_proj_weight)
    projected = [project(x, weight) for x, weight in zip((q, k, v), weights, strict=True)]
    return tuple(x.detach() if place == each else x for place, x in enumerate(projected))
