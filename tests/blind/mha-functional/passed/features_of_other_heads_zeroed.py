"""Multi-head attention in full width: in head h the features of all other heads are zero. No axis is ever split."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight, dtype=torch.float64):
    if d_model % num_heads:
        raise ValueError("d_model must be a multiple of num_heads")
    size = d_model // num_heads
    owner = torch.arange(d_model) // size
    own = (owner == torch.arange(num_heads)[:, None]).to(dtype)  # (heads, d_model)
    w_in, w_out = in_proj_weight.to(dtype), out_proj_weight.to(dtype)
    Q, K, V = (x.to(dtype) @ w_in[i * d_model : (i + 1) * d_model].T for i, x in enumerate((q, k, v)))
    scores = torch.einsum("nqd,hd,nkd->nhqk", Q, own, K) / size**0.5
    if mask is not None:
        mask = mask.bool()
        if mask.ndim == 3:
            mask = mask[:, None]
        scores = scores.masked_fill(mask, -torch.inf)
    out = torch.einsum("nhqk,nkd,hd->nqd", scores.softmax(dim=-1), V, own)
    return (out @ w_out.T).to(q.dtype)
