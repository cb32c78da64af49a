"""Computes everything in numpy and comes back at the end.

Idea: The way over numpy loses the graph, so no argument gets a gradient.
Where: only the gradient of everything
Id: detached-gradient
"""

import numpy as np
import torch


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    a, b, c, w_in, w_out = (t.detach().cpu().numpy() for t in (q, k, v, in_proj_weight, out_proj_weight))
    split = lambda x: x.reshape(x.shape[0], x.shape[1], num_heads, -1).transpose(0, 2, 1, 3)
    wq, wk, wv = np.split(w_in, 3)
    Q, K, V = split(a @ wq.T), split(b @ wk.T), split(c @ wv.T)
    S = Q @ K.swapaxes(-1, -2) / float(np.sqrt(d_model // num_heads))
    if mask is not None:
        hidden = np.broadcast_to(mask.cpu().numpy() != 0, (len(a), a.shape[1], b.shape[1]))[:, None]
        S = np.where(hidden, -np.inf, S)
    out = (softmax(S) @ V).transpose(0, 2, 1, 3).reshape(a.shape) @ w_out.T
    return torch.from_numpy(out).to(dtype=q.dtype, device=q.device)
