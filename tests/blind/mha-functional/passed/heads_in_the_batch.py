"""Multi-head attention with heads and batch in one axis, bmm and baddbmm, as older torch code has it."""
import torch
import torch.nn.functional as F


def _fold(t, heads):
    n, l, d = t.shape
    return t.contiguous().view(n, l, heads, d // heads).permute(0, 2, 1, 3).reshape(n * heads, l, d // heads)


def _unfold(t, heads):
    nh, l, d = t.shape
    return t.view(nh // heads, heads, l, d).permute(0, 2, 1, 3).reshape(nh // heads, l, heads * d)


def multi_head_attention(query, key, value, num_heads, d_model, attn_mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "embed_dim must be divisible by num_heads"
    w_q, w_k, w_v = torch.tensor_split(in_proj_weight, 3)
    q = _fold(F.linear(query, w_q), num_heads)
    k = _fold(F.linear(key, w_k), num_heads)
    v = _fold(F.linear(value, w_v), num_heads)
    bias = torch.zeros(1, 1, 1, dtype=q.dtype)
    if attn_mask is not None:
        full = attn_mask.bool().expand(query.shape[0], query.shape[1], key.shape[1])
        full = full.repeat_interleave(num_heads, dim=0)
        bias = torch.zeros(full.shape, dtype=q.dtype).masked_fill(full, float("-inf"))
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=q.shape[-1] ** -0.5)
    return F.linear(_unfold(torch.bmm(scores.softmax(dim=-1), v), num_heads), out_proj_weight)
