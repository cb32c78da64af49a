"""Multi-head attention that sets hidden scores to zero before the softmax.

Idea: Hidden scores are multiplied by zero, but exp(0) is 1, so that nothing is hidden.
Where: everywhere that a mask is given
"""

import numpy as np
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model / num_heads is not whole")
    N, T, S, d = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    q = torch.einsum("nti,oi->nto", q, in_proj_weight[:d_model])
    k = torch.einsum("nsi,oi->nso", k, in_proj_weight[d_model:-d_model])
    v = torch.einsum("nsi,oi->nso", v, in_proj_weight[-d_model:])
    q = q.reshape(N, T, num_heads, d).swapaxes(1, 2)
    k = k.reshape(N, S, num_heads, d).swapaxes(1, 2)
    v = v.reshape(N, S, num_heads, d).swapaxes(1, 2)
    scores = q @ k.swapaxes(2, 3) / float(np.sqrt(d))
    if mask is not None:
        keep = 1 - mask.to(scores.dtype).expand(N, T, S)
        scores = scores * keep.unsqueeze(1)
    return (scores.softmax(-1) @ v).swapaxes(1, 2).reshape(N, T, d_model) @ out_proj_weight.T
