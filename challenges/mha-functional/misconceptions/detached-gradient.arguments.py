"""{each} is cut off from the graph.

A copy through .detach(), .data or torch.tensor has the right numbers but no history: its block of in_proj_weight
learns, but nothing that {each} was computed from does. Project {each} itself.
"""

EACH = {"q": 0, "k": 1, "v": 2}


def project_inputs(q, k, v, in_proj_weight):
    inputs = [x.detach() if place == each else x for place, x in enumerate((q, k, v))]
    return tuple(project(x, weight) for x, weight in zip(inputs, split_in_proj(in_proj_weight), strict=True))
