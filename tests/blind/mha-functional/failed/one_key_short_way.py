"""Has a short way for a single key, whose weight is always 1.

Idea: The short way forgets to repeat the value for each query, so the result has one row.
Where: only when L_k is 1 and L_q is above 1
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads does not divide d_model")
    wq, wk, wv = in_proj_weight.chunk(3)
    if k.shape[1] == 1:
        # a softmax over one key is 1; keep q, k in the graph
        return v @ wv.T @ out_proj_weight.T + 0 * (q.sum() + k.sum())
    Q, K, V = ((x @ w.T).reshape(*x.shape[:2], num_heads, -1).swapaxes(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        s = torch.where(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), float("-inf"), s)
    return (s.softmax(-1) @ V).swapaxes(1, 2).flatten(2) @ out_proj_weight.T
