"""Hidden scores are filled with -100, which is not low enough when the visible scores are lower still."""
import torch

MASK_VALUE = -100.0


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    h = num_heads
    Wq, Wk, Wv = in_proj_weight.reshape(3, h, d_model // h, d_model)
    Q, K, V = (torch.einsum("bnc,hdc->bhnd", x, W) for x, W in ((q, Wq), (k, Wk), (v, Wv)))
    S = torch.einsum("bhid,bhjd->bhij", Q, K) / (d_model // h) ** 0.5
    if mask is not None:
        hide = mask.bool()
        hide = hide.reshape(*((1,) * (3 - hide.ndim)), *hide.shape)
        S = torch.where(hide.unsqueeze(1), MASK_VALUE, S)
    out = torch.einsum("bhij,bhjd->bihd", torch.softmax(S, dim=-1), V)
    return out.reshape(q.shape) @ out_proj_weight.T
