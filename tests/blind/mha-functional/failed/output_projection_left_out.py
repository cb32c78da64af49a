"""The output projection is computed but the unprojected heads are returned."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("...")
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    n = q.shape[0]
    Q = (q @ w_q.T).reshape(n, -1, num_heads, d_model // num_heads).swapaxes(1, 2)
    K = (k @ w_k.T).reshape(n, -1, num_heads, d_model // num_heads).swapaxes(1, 2)
    V = (v @ w_v.T).reshape(n, -1, num_heads, d_model // num_heads).swapaxes(1, 2)
    s = (Q @ K.swapaxes(-1, -2)) / ((d_model // num_heads) ** 0.5)
    if mask is not None:
        s = s.masked_fill(mask.bool().unsqueeze(-3), float("-inf"))
    out = (torch.softmax(s, -1) @ V).swapaxes(1, 2).reshape(q.shape)
    projected = out @ out_proj_weight.T
    return out
