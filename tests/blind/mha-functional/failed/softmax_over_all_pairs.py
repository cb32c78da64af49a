"""A softmax over the whole table of scores.

Idea: All pairs of a query and a key share one softmax, so that a row of weights does not sum to 1.
Where: everywhere (with more than one query)
Id: softmax-dim
"""

import math


def table_softmax(s):
    flat = s.flatten(-2)
    flat = (flat - flat.amax(-1, keepdim=True)).exp()
    return (flat / flat.sum(-1, keepdim=True)).view_as(s)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("heads have to divide the width")
    N, A, B = q.shape[0], q.shape[1], k.shape[1]
    Q, K, V = (
        (x @ w.T).view(N, -1, num_heads, d_model // num_heads).permute(0, 2, 1, 3)
        for x, w in zip((q, k, v), in_proj_weight.unflatten(0, (3, d_model)))
    )
    S = Q @ K.mT / math.sqrt(d_model // num_heads)
    if mask is not None:
        S = S.masked_fill((mask == 1).expand(N, A, B).reshape(N, 1, A, B), -math.inf)
    return (table_softmax(S) @ V).permute(0, 2, 1, 3).reshape(N, A, d_model) @ out_proj_weight.T
