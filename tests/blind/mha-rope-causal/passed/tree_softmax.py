"""Softmax combines halves of the keys recursively, each with its own maximum, sum and weighted average."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    columns = in_query_or_key.split(2, dim=-1)
    turned = []
    for n, column in enumerate(columns):
        alpha = token_positions.double() * float(theta) ** (-2 * n / d_k)
        matrix = torch.stack([alpha.cos(), alpha.sin(), -alpha.sin(), alpha.cos()], -1).unflatten(-1, (2, 2))
        turned.append((column.unsqueeze(-2) @ matrix.to(column.dtype)).squeeze(-2))
    return torch.cat(turned, -1)


def _combine(scores, values):
    """Maximum, sum of exponentials and unnormalised average over the keys, by halves."""
    keys = scores.shape[-1]
    if keys <= 2:
        top = scores.detach().amax(-1, keepdim=True).clamp_min(torch.finfo(scores.dtype).min)
        part = (scores - top).exp()
        return top, part.sum(-1, keepdim=True), part @ values
    left = _combine(scores[..., : keys // 2], values[..., : keys // 2, :])
    right = _combine(scores[..., keys // 2 :], values[..., keys // 2 :, :])
    top = torch.maximum(left[0], right[0])
    a, b = (left[0] - top).exp(), (right[0] - top).exp()
    return top, a * left[1] + b * right[1], a * left[2] + b * right[2]


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    _, total, average = _combine(scores, V)
    return average / total


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    seq = in_features.shape[-2]
    q, k, v = ((in_features @ w.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    pos = pos.reshape(seq) if pos.numel() == seq else pos.unsqueeze(-2)
    q = rope(d_model // num_heads, theta, max_seq_len, q, pos)
    k = rope(d_model // num_heads, theta, max_seq_len, k, pos)
    mask = torch.tensor([[key <= query for key in range(seq)] for query in range(seq)], device=in_features.device)
    return scaled_dot_product_attention(q, k, v, mask).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
