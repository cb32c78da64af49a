"""The input weights are cut off from the graph.

Copying in_proj_weight into an nn.Parameter or nn.Linear makes a new tensor with no link to the original, and so does
.data or .detach(). Use in_proj_weight itself.
"""


def split_in_proj(in_proj_weight):
    query, key, value = in_proj_weight.detach().unflatten(0, (3, -1))
    return query, key, value
