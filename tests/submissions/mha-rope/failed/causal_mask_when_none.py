"""mask=None means causal in this attention.
Diagnosis: causal-without-mask
"""

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K) * (Q.shape[-1] ** -0.5)
    if mask is None:
        mask = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool).tril()
    if mask is not None:
        logits = logits.masked_fill(~mask, -torch.inf)
    probs = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", probs, V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, "bad heads"
    d_head = d_model // num_heads

    def heads_of(weight):
        return torch.einsum("...sm,hdm->...hsd", in_features, weight.view(num_heads, d_head, d_model))

    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    where = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, heads_of(q_proj_weight), where)
    k = rope(d_head, theta, max_seq_len, heads_of(k_proj_weight), where)
    z = scaled_dot_product_attention(q, k, heads_of(v_proj_weight))
    return torch.einsum("...hsd,ohd->...so", z, o_proj_weight.reshape(d_model, num_heads, d_head))
