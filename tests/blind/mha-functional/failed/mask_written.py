"""Writes minus infinity into the caller's mask when it is a float mask."""
import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "invalid"
    B, T, C = q.shape
    wq, wk, wv = in_proj_weight.split(d_model)
    q = F.linear(q, wq).view(B, T, num_heads, C // num_heads).transpose(1, 2)
    k = F.linear(k, wk).view(B, k.size(1), num_heads, C // num_heads).transpose(1, 2)
    v = F.linear(v, wv).view(B, v.size(1), num_heads, C // num_heads).transpose(1, 2)
    scores = q @ k.transpose(-2, -1) / (C // num_heads) ** 0.5
    if mask is not None:
        m = mask.to(scores.dtype)
        m[m == 1] = float("-inf")
        scores = scores + (m if m.dim() == 2 else m.unsqueeze(1))
    att = F.softmax(scores, dim=-1)
    y = (att @ v).transpose(1, 2).reshape(B, T, C)
    return F.linear(y, out_proj_weight)
