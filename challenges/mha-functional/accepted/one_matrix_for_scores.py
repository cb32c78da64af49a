"""No queries and keys: q W k^T with one matrix for each head, and the output weights cut by heads and summed over them."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, f"{d_model} features cannot be shared by {num_heads} heads"
    w_q, w_k, w_v = in_proj_weight.reshape(3, num_heads, d_model // num_heads, d_model)
    between = torch.einsum("hdi,hdj->hij", w_q, w_k) / (d_model // num_heads) ** 0.5
    scores = torch.einsum("nqi,hij,nkj->hnqk", q, between, k)
    if mask is not None:
        scores = torch.masked_fill(scores, mask.bool(), -torch.inf)  # heads come first: the mask fits as it is
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    w_o = out_proj_weight.reshape(d_model, num_heads, d_model // num_heads)
    through = torch.einsum("hdi,ohd->hio", w_v, w_o)
    return torch.einsum("hnqk,nki,hio->nqo", weights, v, through)
