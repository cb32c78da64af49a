"""The table starts at position 1: only rope alone shows it.
Diagnosis: positions-off-by-one
"""

import torch
from torch import Tensor


def precompute_freqs_cis(dim, end, theta):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].double() / dim))
    t = torch.arange(1, end + 1)
    freqs = torch.outer(t.double(), freqs)
    return torch.exp(1j * freqs)


def apply_rotary_emb(x, freqs_cis):
    x_ = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(x_ * freqs_cis).flatten(-2).type_as(x)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs_cis = precompute_freqs_cis(d_k, max_seq_len, theta)
    return apply_rotary_emb(in_query_or_key, freqs_cis[token_positions])


def softmax(x: Tensor, dim: int) -> Tensor:
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    attn = torch.matmul(Q, K.mT) / Q.size(-1) ** 0.5
    if mask is not None:
        attn = torch.where(mask, attn, torch.tensor(-torch.inf, dtype=attn.dtype, device=attn.device))
    return torch.matmul(softmax(attn, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    d_head, rest = divmod(d_model, num_heads)
    assert rest == 0, "d_model must be a multiple of num_heads"
    seq = in_features.size(-2)
    w_qkv = torch.cat([q_proj_weight, k_proj_weight, v_proj_weight], dim=0)
    qkv = in_features @ w_qkv.T
    q, k, v = qkv.chunk(3, dim=-1)
    new_shape = in_features.shape[:-1] + (num_heads, d_head)
    q = q.reshape(new_shape).transpose(-3, -2)
    k = k.reshape(new_shape).transpose(-3, -2)
    v = v.reshape(new_shape).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    token_positions = token_positions[..., None, :]
    q, k = rope(d_head, theta, max_seq_len, q, token_positions), rope(d_head, theta, max_seq_len, k, token_positions)
    y = scaled_dot_product_attention(q, k, v, torch.arange(q.shape[-2])[:, None] >= torch.arange(q.shape[-2])[None, :])
    y = y.transpose(-3, -2).contiguous().view(in_features.shape)
    return torch.matmul(y, o_proj_weight.t())
