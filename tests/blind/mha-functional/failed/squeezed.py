"""The result is squeezed, so axes of size one disappear."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    hd = d_model // num_heads
    qp, kp, vp = (
        torch.nn.functional.linear(t, in_proj_weight[i * d_model : (i + 1) * d_model]).unflatten(-1, (num_heads, hd))
        for i, t in enumerate((q, k, v))
    )
    logits = torch.einsum("nqhd,nkhd->nhqk", qp, kp).div(hd**0.5)
    if mask is not None:
        logits = logits.masked_fill(mask.ne(0).unsqueeze(-3), -torch.inf)
    mixed = torch.einsum("nhqk,nkhd->nqhd", logits.softmax(-1), vp)
    return (mixed.reshape(*q.shape) @ out_proj_weight.T).squeeze()
