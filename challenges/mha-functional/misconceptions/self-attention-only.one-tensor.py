"""Where {each} are one tensor, all three are taken for one.

q, k and v are arguments of their own, and any two of them may be one tensor while the third is another. Project each from its
own argument.
"""

EACH = {"q and k": ((0, 1), 0), "k and v": ((1, 2), 1), "q and v": ((0, 2), 0)}


def project_inputs(q, k, v, in_proj_weight):
    inputs = [q, k, v]
    (first, second), whole = each
    if inputs[first] is inputs[second]:
        inputs = [inputs[whole]] * 3
    return tuple(project(x, weight) for x, weight in zip(inputs, split_in_proj(in_proj_weight), strict=True))
