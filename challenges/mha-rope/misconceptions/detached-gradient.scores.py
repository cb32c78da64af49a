"""No gradient reaches the queries and keys.

The values keep theirs, so the output is right and W_V learns, but the model could never learn where to attend: rope
runs under no_grad, or the attention weights are detached. Only tables of cosines and sines may be made outside the
graph.
"""


def gather(weights, V):
    return weights.detach() @ V
