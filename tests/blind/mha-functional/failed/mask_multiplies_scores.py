"""Hidden scores are set to zero by a product.

Idea: Multiplying the scores with 1 - mask makes hidden scores 0, and the softmax still gives them weight.
Where: only when a mask is given
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    N, Lq, Lk = q.shape[0], q.shape[1], k.shape[1]
    W = in_proj_weight.reshape(3, num_heads, d_head, d_model)
    Q = torch.einsum("nld,hed->hnle", q, W[0])
    K = torch.einsum("nld,hed->hnle", k, W[1])
    V = torch.einsum("nld,hed->hnle", v, W[2])
    scores = Q @ K.mT / d_head**0.5
    if mask is not None:
        scores = scores * (1 - mask.to(scores.dtype))
    out = scores.softmax(-1) @ V
    return torch.einsum("hnle,ohe->nlo", out, out_proj_weight.reshape(d_model, num_heads, d_head))
