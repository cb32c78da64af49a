"""Packs the three projections into one product if the inputs share their memory: two slices of one tensor start at the same address, too."""
# expect: same address taken for same tensor
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    if q.data_ptr() == k.data_ptr() == v.data_ptr():
        Q, K, V = (q @ in_proj_weight.T).chunk(3, dim=-1)  # self-attention: one GEMM
    else:
        wq, wk, wv = in_proj_weight.chunk(3)
        Q, K, V = q @ wq.T, k @ wk.T, v @ wv.T
    Q, K, V = (t.unflatten(-1, (num_heads, -1)).transpose(1, 2) for t in (Q, K, V))
    scores = Q @ K.mT * Q.shape[-1] ** -0.5
    if mask is not None:
        mask = mask.bool()
        scores = scores.masked_fill(mask if mask.dim() == 2 else mask[:, None], -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
