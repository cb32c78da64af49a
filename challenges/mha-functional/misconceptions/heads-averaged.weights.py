"""The attention weights are averaged over the heads.

Each head attends in its own way: it weights its own values with its own weights. The averaged weights that
nn.MultiheadAttention returns next to its output are only for inspection.
"""


def attend(Q, K, V, mask):
    return weigh(Q, K, mask).mean(dim=-3, keepdim=True) @ V
