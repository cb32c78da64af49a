"""Multi-head attention as four einsums over weights that are cut per head, so nothing is merged by hand."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d = d_model // num_heads
    # c: which of the three, h: head, e: feature of the head, m: feature of the model
    W = in_proj_weight.reshape(3, num_heads, d, d_model)
    O = out_proj_weight.reshape(d_model, num_heads, d)

    qh = torch.einsum("nlm,hem->nhle", q, W[0])
    kh = torch.einsum("nlm,hem->nhle", k, W[1])
    vh = torch.einsum("nlm,hem->nhle", v, W[2])
    scores = torch.einsum("nhie,nhje->nhij", qh, kh) / d**0.5
    if mask is not None:
        hide = mask.bool()
        while hide.dim() < 3:
            hide = hide.unsqueeze(0)
        scores = scores.masked_fill(hide.unsqueeze(-3), -float("inf"))
    p = scores.softmax(dim=-1)
    return torch.einsum("nhij,nhje,mhe->nim", p, vh, O)
