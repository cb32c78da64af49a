"""K and V are unpacked in the wrong order.
Diagnosis: kv-swapped
"""

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K) * (Q.shape[-1] ** -0.5)
    if mask is not None:
        logits = logits.masked_fill(~mask, -torch.inf)
    probs = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", probs, V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    stacked = torch.stack((q_proj_weight, k_proj_weight, v_proj_weight))
    qkv = torch.einsum("...sm,com->c...so", in_features, stacked)
    qkv = qkv.unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
    q, v, k = qkv.unbind(0)
    pos = torch.arange(q.shape[-2], device=q.device) if token_positions is None else token_positions
    pos = pos[..., None, :]
    q, k = [rope(d_head, theta, max_seq_len, t, pos) for t in (q, k)]
    y = scaled_dot_product_attention(q, k, v, ~torch.triu(torch.ones(q.shape[-2], q.shape[-2]), diagonal=1).bool())
    return y.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
