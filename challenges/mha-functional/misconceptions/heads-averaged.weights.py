"""The attention weights are averaged over the heads.

Each head looks where it looks: it weighs its own values with its own weights. An average is what nn.MultiheadAttention returns
for show beside its output.
"""


def attend(Q, K, V, mask):
    return weigh(Q, K, mask).mean(dim=-3, keepdim=True) @ V
