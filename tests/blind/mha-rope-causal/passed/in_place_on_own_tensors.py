"""Works in place wherever a tensor is its own and no backward pass needs the old value."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    angle = token_positions.to(torch.float64, copy=True).unsqueeze(-1).repeat_interleave(d_k // 2, dim=-1)
    angle.mul_(float(theta) ** (torch.arange(0, d_k, 2, dtype=torch.float64, device=angle.device) / -d_k))
    cos = angle.cos().to(in_query_or_key.dtype)
    sin = angle.sin_().to(in_query_or_key.dtype)
    result = in_query_or_key.clone()
    result[..., 0::2].mul_(cos).sub_(in_query_or_key[..., 1::2] * sin)
    result[..., 1::2].mul_(cos).add_(in_query_or_key[..., 0::2] * sin)
    return result


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    scores *= Q.shape[-1] ** -0.5
    if mask is not None:
        scores.masked_fill_(~mask, -float("inf"))
    scores -= scores.detach().amax(-1, keepdim=True)
    weights = scores.exp_()
    return (weights @ V) / weights.sum(-1, keepdim=True)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert not d_model % num_heads, "num_heads must divide d_model"
    batch, seq = in_features.shape[:-2], in_features.shape[-2]
    q, k, v = (in_features.matmul(w.T).view(*batch, seq, num_heads, -1).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    pos = torch.arange(seq, device=q.device) if token_positions is None else token_positions
    pos = pos.reshape(seq) if pos.numel() == seq else pos.unsqueeze(-2)
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, pos) for t in (q, k))
    mask = torch.zeros(seq, seq, dtype=torch.bool, device=q.device)
    mask[tuple(torch.tril_indices(seq, seq))] = True
    out = in_features.new_empty(*batch, seq, num_heads, d_model // num_heads)
    out.copy_(scaled_dot_product_attention(q, k, v, mask).transpose(-3, -2))
    return out.view(*batch, seq, d_model) @ o_proj_weight.T
