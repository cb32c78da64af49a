"""Keys and values are computed from q.

k and v are separate arguments: in cross-attention they come from another sequence. Your code projects q three times,
which is self-attention.
"""


def project_inputs(q, k, v, in_proj_weight):
    return tuple(project(q, weight) for weight in split_in_proj(in_proj_weight))
