"""A right answer of the seventh corpus."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    dh = d_model // num_heads

    W = in_proj_weight.reshape(3, num_heads, dh, d_model)
    Wo = out_proj_weight.reshape(d_model, num_heads, dh)

    Q = torch.einsum("nqd,hed->nhqe", q, W[0])
    K = torch.einsum("nkd,hed->nhke", k, W[1])
    V = torch.einsum("nkd,hed->nhke", v, W[2])

    S = torch.einsum("nhqe,nhke->nhqk", Q, K) / dh**0.5
    if mask is not None:
        hide = mask != 0
        while hide.ndim < 3:
            hide = hide[None]
        S = S.masked_fill(hide[:, None, :, :], -torch.inf)
    A = torch.softmax(S, -1)
    return torch.einsum("nhqk,nhke,dhe->nqd", A, V, Wo)
