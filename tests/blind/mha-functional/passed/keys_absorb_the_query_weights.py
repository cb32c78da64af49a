"""Uses associativity: the query weights are moved over to the side of the keys."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    e = d_model // num_heads
    wq, wk, wv = in_proj_weight.view(3, num_heads, e, d_model) if in_proj_weight.is_contiguous() else in_proj_weight.reshape(3, num_heads, e, d_model)
    wo = out_proj_weight.unflatten(1, (num_heads, e))
    bilinear = torch.einsum("hei,hej->hij", wq, wk)            # q^T Wq^T Wk k
    scores = torch.einsum("nai,hij,nbj->nhab", q, bilinear, k) / e ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool() if mask.ndim < 3 else mask.bool()[:, None], -torch.inf)
    both = torch.einsum("ohe,hei->hoi", wo, wv)                # Wo Wv of each head
    return torch.einsum("nhab,nbi,hoi->nao", scores.softmax(-1), v, both)
