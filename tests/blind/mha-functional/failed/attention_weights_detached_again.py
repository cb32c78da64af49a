"""Multi-head attention that keeps the attention weights out of the graph, "they are only weights".

Idea: The attention weights are detached, so that queries and keys learn nothing.
Where: only the gradients of q and k and of their two blocks of the weight
Id: detached-gradient
"""

import torch


@torch.no_grad()
def attention_weights(Q, K, hidden):
    scores = torch.einsum("nhqd,nhkd->nhqk", Q, K) * Q.shape[-1] ** -0.5
    if hidden is not None:
        scores.masked_fill_(hidden, float("-inf"))
    return scores.softmax(dim=-1)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model not divisible")
    wq, wk, wv = in_proj_weight.split([d_model] * 3)
    Q, K, V = (torch.stack((x @ w.T).split(d_model // num_heads, 2), 1) for x, w in ((q, wq), (k, wk), (v, wv)))
    hidden = None if mask is None else mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None]
    out = attention_weights(Q, K, hidden) @ V
    return out.transpose(1, 2).flatten(2) @ out_proj_weight.T
