"""A float mask of zeros and ones is added to the scores, as torch does; it means hidden here."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    dh = d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = (q @ wq.T).unflatten(-1, (num_heads, dh)).transpose(1, 2)
    K = (k @ wk.T).unflatten(-1, (num_heads, dh)).transpose(1, 2)
    V = (v @ wv.T).unflatten(-1, (num_heads, dh)).transpose(1, 2)
    attn_scores = Q @ K.transpose(-1, -2) / dh**0.5
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        if mask.is_floating_point():
            attn_scores = attn_scores + mask
        else:
            attn_scores = attn_scores.masked_fill(mask.bool(), float("-inf"))
    attn = torch.softmax(attn_scores, dim=-1)
    return (attn @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
