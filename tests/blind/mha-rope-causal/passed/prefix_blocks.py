"""Attention works on four queries at a time with their slice of the mask, to need less memory."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    angle = torch.einsum("...s,f->...sf", token_positions.double(), float(theta) ** (torch.arange(0, -d_k, -2, device=x.device).double() / d_k))
    wave = torch.stack((angle.cos(), angle.sin()), dim=-1).to(x.dtype)
    x = x.unflatten(-1, (d_k // 2, 2))
    re = (x * wave * torch.tensor([1, -1], device=x.device)).sum(-1)
    im = (x.flip(-1) * wave).sum(-1)
    return torch.stack((re, im), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    rows = 4
    if mask is not None:
        mask = mask.expand(torch.broadcast_shapes(mask.shape, (Q.shape[-2], K.shape[-2])))
    results = []
    for start in range(0, Q.shape[-2], rows):
        scores = Q[..., start : start + rows, :] @ K.mT / Q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[..., start : start + rows, :], -torch.inf)
        results.append(scores.softmax(-1) @ V)
    return torch.cat(results, dim=-2)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    seq = in_features.shape[-2]
    device = in_features.device
    q, k, v = ((in_features @ w.mT).unflatten(-1, (num_heads, -1)).transpose(-2, -3) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(seq, device=device)
    place = token_positions.reshape(seq) if token_positions.numel() == seq else token_positions.unsqueeze(-2)
    q, k = rope(q.shape[-1], theta, max_seq_len, q, place), rope(k.shape[-1], theta, max_seq_len, k, place)
    visible = torch.ones(seq, seq, dtype=torch.bool, device=device).tril()
    return scaled_dot_product_attention(q, k, v, visible).transpose(-2, -3).flatten(-2) @ o_proj_weight.mT
