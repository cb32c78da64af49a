"""Records a graph only when q asks for a gradient.

Idea: Whether a graph is recorded is decided by q alone, so k, v and the weights get no gradient when q wants none.
Where: only the gradient of k, v or a weight when q does not require one
Id: detached-gradient
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    training = torch.is_grad_enabled() and q.requires_grad
    with torch.set_grad_enabled(training):
        split = lambda x: x.reshape(x.size(0), x.size(1), num_heads, -1).transpose(1, 2)
        wq, wk, wv = in_proj_weight.split(d_model)
        scores = split(q @ wq.T) @ split(k @ wk.T).transpose(2, 3) / math.sqrt(d_model // num_heads)
        if mask is not None:
            m = mask.bool().expand(q.size(0), q.size(1), k.size(1))
            scores = scores.masked_fill(m.unsqueeze(1), -math.inf)
        out = torch.softmax(scores, -1) @ split(v @ wv.T)
        return out.transpose(1, 2).reshape(q.shape) @ out_proj_weight.T
