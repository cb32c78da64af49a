"""One product for queries, keys and values, and one call of rope for queries and keys together."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inverse = torch.tensor([float(theta) ** (-n / d_k) for n in range(0, d_k, 2)], dtype=torch.float64, device=in_query_or_key.device)
    spin = torch.exp(1j * (token_positions.double().unsqueeze(-1) * inverse))
    number = torch.complex(in_query_or_key[..., ::2].contiguous(), in_query_or_key[..., 1::2].contiguous())
    number = number * spin.to(number.dtype)
    return torch.stack((number.real, number.imag), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q / Q.shape[-1] ** 0.25, K / Q.shape[-1] ** 0.25)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + bias.masked_fill(~mask, float("-inf"))
    return torch.einsum("...qk,...kd->...qd", scores.softmax(-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError(f"cannot split {d_model} features among {num_heads} heads")
    seq = in_features.shape[-2]
    packed = in_features @ torch.cat((q_proj_weight, k_proj_weight, v_proj_weight)).T
    packed = packed.unflatten(-1, (3, num_heads, d_model // num_heads)).movedim((-3, -2), (0, -3))
    qk, v = packed[:2], packed[2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.numel() == seq:
        token_positions = token_positions.reshape(seq)
    else:
        token_positions = token_positions.unsqueeze(-2)
    q, k = rope(d_model // num_heads, theta, max_seq_len, qk, token_positions)
    future = torch.triu(torch.ones(seq, seq, dtype=torch.bool, device=in_features.device), diagonal=1)
    return scaled_dot_product_attention(q, k, v, ~future).movedim(-3, -2).flatten(-2) @ o_proj_weight.T
