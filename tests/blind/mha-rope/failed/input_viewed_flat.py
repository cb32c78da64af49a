"""Views the input as (batch * seq, d_model).

Idea: view is called on the input as if it were always contiguous.
Where: only for non-contiguous in_features with two or more leading axes or a transposed batch: RuntimeError
"""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    weights = scores.softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V)


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
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError("heads do not divide the model dimension")
    x = in_features
    seq = x.shape[-2]
    rows = x.view(-1, d_model)
    qkv = rows @ torch.cat([q_proj_weight, k_proj_weight, v_proj_weight], dim=0).T
    qkv = qkv.view(*x.shape[:-1], 3 * d_model)
    qkv = qkv.unflatten(-1, (3, num_heads, d_head)).movedim(-3, 0).transpose(-3, -2)
    q, k, v = qkv.unbind(0)

    positions = torch.arange(seq, device=x.device) if token_positions is None else token_positions
    if positions.ndim != 1:
        positions = positions[..., None, :]
    q, k = (rope(d_head, theta, max_seq_len, t, positions) for t in (q, k))
    y = scaled_dot_product_attention(q, k, v).movedim(-3, -2).flatten(-2)
    return torch.matmul(y, o_proj_weight.t()).view_as(x)
