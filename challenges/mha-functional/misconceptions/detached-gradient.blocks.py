"""The weights of the {each} are cut off from the graph.

A copy of a block of in_proj_weight in nn.Parameter or nn.Linear, .data or .detach() makes a new tensor with no link to
the original. Use the rows of in_proj_weight themselves.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def split_in_proj(in_proj_weight):
    blocks = in_proj_weight.unflatten(0, (3, -1))
    query, key, value = (block.detach() if place == each else block for place, block in enumerate(blocks))
    return query, key, value
