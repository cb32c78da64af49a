"""A right answer of the seventh corpus."""
import torch
import torch.nn.functional as F


def _half_rotation(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    """The interleaved form: sort the channels into halves, rotate halves, sort them back."""
    inv_freq = 1.0 / (theta ** (torch.arange(0, d_k, 2, dtype=torch.int64, device=in_query_or_key.device).double() / d_k))
    freqs = token_positions.unsqueeze(-1).double() * inv_freq
    cos, sin = freqs.cos().to(in_query_or_key.dtype), freqs.sin().to(in_query_or_key.dtype)
    x = in_query_or_key.view(*in_query_or_key.shape[:-1], d_k // 2, 2) if in_query_or_key.is_contiguous() else in_query_or_key.unflatten(-1, (d_k // 2, 2))
    halves = x.transpose(-1, -2).reshape(in_query_or_key.shape)
    y = _half_rotation(halves, cos, sin)
    return y.unflatten(-1, (2, d_k // 2)).transpose(-1, -2).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    attn_weights = torch.matmul(Q, K.transpose(-2, -1)) * Q.shape[-1] ** -0.5
    if mask is not None:
        min_value = torch.finfo(attn_weights.dtype).min
        attn_weights = attn_weights + (~mask).to(attn_weights.dtype) * min_value
        attn_weights = attn_weights.clamp(min=min_value)
    attn_weights = F.softmax(attn_weights, dim=-1)
    return torch.matmul(attn_weights, V)


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
    if (d_model % num_heads) != 0:
        raise ValueError(f"hidden_size must be divisible by num_heads (got {d_model} and {num_heads})")
    head_dim = d_model // num_heads
    hidden_shape = (*in_features.shape[:-1], -1, head_dim)
    query_states = F.linear(in_features, q_proj_weight).view(hidden_shape).transpose(-3, -2)
    key_states = F.linear(in_features, k_proj_weight).view(hidden_shape).transpose(-3, -2)
    value_states = F.linear(in_features, v_proj_weight).view(hidden_shape).transpose(-3, -2)
    q_len = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(q_len, device=in_features.device).unsqueeze(0)
    if in_features.dim() == 2 and token_positions.dim() == 2:
        token_positions = token_positions.squeeze(0)
    position_ids = token_positions.unsqueeze(-2)
    query_states = rope(head_dim, theta, max_seq_len, query_states, position_ids)
    key_states = rope(head_dim, theta, max_seq_len, key_states, position_ids)
    causal_mask = torch.ones(q_len, q_len, device=in_features.device).cumsum(-1) <= torch.arange(1, q_len + 1, device=in_features.device)[:, None]
    attn_output = scaled_dot_product_attention(query_states, key_states, value_states, causal_mask)
    attn_output = attn_output.transpose(-3, -2).contiguous().reshape(in_features.shape)
    return F.linear(attn_output, o_proj_weight)
