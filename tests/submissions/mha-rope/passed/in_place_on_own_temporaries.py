"""In-place operations on tensors of one's own, none of which the backward pass needs."""

import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = torch.arange(0, d_k, 2, dtype=torch.float64).div_(-d_k).mul_(math.log(theta)).exp_()
    angle = token_positions.double().unsqueeze(-1).mul(freqs)
    out = in_query_or_key.clone()
    c, s = angle.cos().to(out.dtype), angle.sin().to(out.dtype)
    out[..., 0::2] = in_query_or_key[..., 0::2] * c
    out[..., 0::2] -= in_query_or_key[..., 1::2] * s
    out[..., 1::2] = in_query_or_key[..., 0::2] * s
    out[..., 1::2] += in_query_or_key[..., 1::2] * c
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT
    scores /= math.sqrt(Q.shape[-1])
    if mask is not None:
        scores.masked_fill_(~mask, -math.inf)
    scores -= scores.amax(dim=-1, keepdim=True).detach()
    weights = scores.exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    batch_shape = Q.shape[:-2]
    seq_len = Q.shape[-2]
    Q = Q.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=Q.device)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q_rope = rope(d_head, theta, max_seq_len, Q, token_positions)
    K_rope = rope(d_head, theta, max_seq_len, K, token_positions)
    attn_output = scaled_dot_product_attention(Q_rope, K_rope, V, mask=None)
    attn_output = attn_output.transpose(-3, -2)
    attn_output = attn_output.reshape(*batch_shape, seq_len, d_model)
    return attn_output @ o_proj_weight.T
