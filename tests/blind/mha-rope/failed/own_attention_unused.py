"""The multi-head function writes the attention out again and never calls the scaled_dot_product_attention of the file.

Shows for every input, as no call of scaled_dot_product_attention.
"""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    device, dtype = in_query_or_key.device, in_query_or_key.dtype
    ratio = float(theta) ** (-2 / d_k)
    freq = torch.full((d_k // 2,), ratio, dtype=torch.float64, device=device)
    freq = freq ** torch.arange(d_k // 2, device=device)
    a = token_positions.to(device).unsqueeze(-1) * freq
    cos, sin = torch.cos(a), torch.sin(a)
    turn = torch.stack((torch.stack((cos, -sin), -1), torch.stack((sin, cos), -1)), -2).to(dtype)
    pairs = in_query_or_key.unflatten(-1, (d_k // 2, 2))
    return torch.einsum("...pij,...pj->...pi", turn, pairs).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    n_queries, n_keys, d_k = Q.shape[-2], K.shape[-2], Q.shape[-1]
    scores = K @ Q.mT * d_k**-0.5  # (..., keys, queries)
    if mask is not None:
        hidden = mask.expand(*scores.shape[:-2], n_queries, n_keys).mT.logical_not()
        scores = scores.masked_fill(hidden, -torch.inf)
    scores = scores - scores.amax(dim=-2, keepdim=True)
    weights = scores.exp()
    weights = weights / weights.sum(dim=-2, keepdim=True)
    return weights.mT @ V


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0, (d_model, num_heads)
    d_head = d_model // num_heads
    seq = in_features.shape[-2]

    match token_positions:
        case None:
            where = torch.arange(seq, device=in_features.device)
        case t if t.ndim == 1 or in_features.ndim == 2:
            where = t.reshape(seq)
        case t:
            where = t.unsqueeze(-2)

    def project(weight):
        by_head = weight.reshape(num_heads, d_head, d_model)
        return torch.einsum("...sm,hdm->...hsd", in_features, by_head)

    q = rope(d_head, theta, max_seq_len, project(q_proj_weight), where)
    k = rope(d_head, theta, max_seq_len, project(k_proj_weight), where)
    v = project(v_proj_weight)
    scores = torch.einsum("...qd,...kd->...qk", q, k) / d_head**0.5
    out = torch.einsum("...qk,...kd->...qd", scores.softmax(dim=-1), v)
    return torch.einsum("...hsd,ohd->...so", out, o_proj_weight.reshape(d_model, num_heads, d_head))
