"""Wrong: visible keys are ~mask, and for an integer mask ~0 = -1 and ~1 = -2 are both true, so integers hide nothing; boolean and float masks are right."""

import torch
import torch.nn.functional as F
from einops import rearrange


def split(x, num_heads):
    return rearrange(x, "n l (h d) -> n h l d", h=num_heads)


def attend(q, k, v, hidden):
    scores = torch.einsum("nhqd,nhkd->nhqk", q, k) * q.shape[-1] ** -0.5
    if hidden is not None:
        visible = 1 - hidden if hidden.is_floating_point() else ~hidden
        scores = torch.where(visible.bool(), scores, -torch.inf)
    return torch.einsum("nhqk,nhkd->nhqd", F.softmax(scores, dim=-1), v)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    w_q, w_k, w_v = in_proj_weight.split(d_model)
    hidden = None if mask is None else mask[..., None, :, :]
    out = attend(split(F.linear(q, w_q), num_heads), split(F.linear(k, w_k), num_heads), split(F.linear(v, w_v), num_heads), hidden)
    return F.linear(rearrange(out, "n h l d -> n l (h d)"), out_proj_weight)
