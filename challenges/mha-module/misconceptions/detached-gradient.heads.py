"""The heads' results are cut off from the graph.

out_proj still learns, but nothing before it does: the results of the heads pass through detach(), .data, .numpy() or
no_grad. Use only torch's own operations.
"""


def attend(layer, queries, keys, values):
    return (drop(weigh(compare_tokens(queries, keys), layer), layer) @ values).detach()
