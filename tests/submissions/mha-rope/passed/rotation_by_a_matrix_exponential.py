"""The rotation is the exponential of a skew-symmetric matrix."""

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # the rotation is the exponential of a skew-symmetric generator
    gen = torch.zeros(d_k, d_k, dtype=torch.float64, device=in_query_or_key.device)
    for i in range(0, d_k, 2):
        w = theta ** (-i / d_k)
        gen[i, i + 1] = -w
        gen[i + 1, i] = w
    R = torch.matrix_exp(token_positions.double()[..., None, None] * gen)
    return (R @ in_query_or_key.double().unsqueeze(-1)).squeeze(-1).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q.matmul(K.transpose(-2, -1)).div(Q.shape[-1] ** 0.5)
    s = s - s.detach().amax(dim=-1, keepdim=True)
    e = s.exp()
    if mask is not None:
        s2 = (Q.matmul(K.transpose(-2, -1)) / Q.shape[-1] ** 0.5).masked_fill(~mask, float("-inf"))
        e = (s2 - s2.amax(dim=-1, keepdim=True)).exp()
    return (e @ V) / e.sum(dim=-1, keepdim=True)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    head_dim = d_model // num_heads
    seq_len = in_features.size(-2)

    def split_heads(t):
        return t.unflatten(-1, (num_heads, head_dim)).movedim(-2, -3)

    Q = split_heads(F.linear(in_features, q_proj_weight))
    K = split_heads(F.linear(in_features, k_proj_weight))
    V = split_heads(F.linear(in_features, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device, dtype=torch.long)
    rope_positions = token_positions[..., None, :]
    Q, K = (rope(head_dim, theta, max_seq_len, t, rope_positions) for t in (Q, K))
    context = scaled_dot_product_attention(Q, K, V)
    return F.linear(context.movedim(-3, -2).flatten(-2), o_proj_weight)
