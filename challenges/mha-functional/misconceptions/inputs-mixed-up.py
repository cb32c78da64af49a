"""{each}.

Queries are made from q, keys from k and values from v, each with its own block of in_proj_weight. Perhaps a line was
copied and not changed.
"""

EACH = {
    "Queries are computed from k": (1, 1, 2),
    "Keys are computed from q": (0, 0, 2),
    "Keys are computed from v": (0, 2, 2),
    "Values are computed from q": (0, 1, 0),
    "Queries are computed from k and keys from q": (1, 0, 2),
}


def project_inputs(q, k, v, in_proj_weight):
    inputs = [(q, k, v)[place] for place in each]
    return tuple(project(x, weight) for x, weight in zip(inputs, split_in_proj(in_proj_weight), strict=True))
