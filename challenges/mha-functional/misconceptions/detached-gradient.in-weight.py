"""The input weights are cut off from the graph.

A copy of in_proj_weight in nn.Parameter or nn.Linear, .data or .detach() makes a new tensor with no link to the
original. Use in_proj_weight itself.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.detach().unflatten(0, (3, -1))
    return query, key, value
