"""Recurses over leading axes until one sequence is left, and stacks the results."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    def turned():
        for pair in range(d_k // 2):
            angle = token_positions.double() * float(theta) ** (-2 * pair / d_k)
            cos, sin = angle.cos().to(in_query_or_key.dtype), angle.sin().to(in_query_or_key.dtype)
            x, y = in_query_or_key[..., 2 * pair], in_query_or_key[..., 2 * pair + 1]
            yield x * cos - y * sin
            yield x * sin + y * cos

    return torch.stack(list(turned()), dim=-1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-1, -2)) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))  # noqa: E712
    return scores.log_softmax(-1).exp() @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("d_model is not divisible by num_heads")
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.numel() == seq:
        token_positions = token_positions.reshape(seq)
    if in_features.ndim > 2:
        shared = token_positions.ndim == 1
        return torch.stack(
            [
                multihead_self_attention_with_rope(
                    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
                    x, token_positions if shared else token_positions[n],
                )
                for n, x in enumerate(in_features)
            ]
        )
    q, k, v = (
        (in_features @ w.T).reshape(seq, num_heads, -1).transpose(0, 1)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, token_positions) for t in (q, k))
    return scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(seq, d_model) @ o_proj_weight.T
