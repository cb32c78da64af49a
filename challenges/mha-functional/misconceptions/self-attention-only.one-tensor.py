"""When {each} are the same tensor, all three are treated as one.

q, k and v are separate arguments, and any two of them may be the same tensor while the third is different. Project each
from its own argument.
"""

EACH = {"q and k": ((0, 1), 0), "k and v": ((1, 2), 1), "q and v": ((0, 2), 0)}


def project_inputs(q, k, v, in_proj_weight):
    inputs = [q, k, v]
    (first, second), whole = each
    if inputs[first] is inputs[second]:
        inputs = [inputs[whole]] * 3
    return tuple(project(x, weight) for x, weight in zip(inputs, split_in_proj(in_proj_weight), strict=True))
