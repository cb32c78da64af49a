"""The weights of the {each} are cut off from the graph.

Copying a block of in_proj_weight into an nn.Parameter or nn.Linear makes a new tensor with no link to the original, and
so does .data or .detach(). Use the rows of in_proj_weight themselves.
"""

EACH = {"queries": 0, "keys": 1, "values": 2}


def split_in_proj(in_proj_weight):
    blocks = in_proj_weight.unflatten(0, (3, -1))
    query, key, value = (block.detach() if place == each else block for place, block in enumerate(blocks))
    return query, key, value
