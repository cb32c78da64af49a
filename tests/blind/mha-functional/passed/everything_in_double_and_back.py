"""Multi-head attention that computes in float64 whatever comes in, and returns the dtype of the queries."""

import numpy as np
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, (d_model, num_heads)
    dtype = q.dtype
    (N, Lq, _), Lk = q.shape, k.shape[1]
    dh = d_model // num_heads

    q, k, v = q.double(), k.double(), v.double()
    W, O = in_proj_weight.double(), out_proj_weight.double()

    Q = torch.tensordot(q, W[:d_model], dims=([2], [1])).reshape(N, Lq, num_heads, dh)
    K = torch.tensordot(k, W[d_model : 2 * d_model], dims=([2], [1])).reshape(N, Lk, num_heads, dh)
    V = torch.tensordot(v, W[2 * d_model :], dims=([2], [1])).reshape(N, Lk, num_heads, dh)

    S = Q.permute(0, 2, 1, 3) @ K.permute(0, 2, 3, 1)
    S = S / float(np.sqrt(dh))
    if mask is not None:
        M = torch.broadcast_to(mask.double(), (N, Lq, Lk)).unsqueeze(1)
        S = torch.where(M > 0.5, torch.full_like(S, -np.inf), S)
    A = torch.softmax(S, dim=3)
    Y = (A @ V.permute(0, 2, 1, 3)).permute(0, 2, 1, 3).reshape(N, Lq, d_model)
    return torch.tensordot(Y, O, dims=([2], [1])).to(dtype)
