# Says: `rope` takes d_k, theta, max_seq_len, in_query_or_key, token_positions in this order, but you define it with the tensor first, `def rope(in_query_or_key, token_positions, d_k, ...)`, so callers put numbers where you expect tensors.
# Line: 8
# Names: rope, order
# Kind: crash
import torch


def rope(in_query_or_key, token_positions, d_k, theta, max_seq_len):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads:
        raise ValueError("d_model / num_heads must be whole")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    q = (in_features @ q_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    k = (in_features @ k_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    v = (in_features @ v_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    pos = torch.arange(seq) if token_positions is None else token_positions
    if pos.dim() > 1:
        pos = pos.unsqueeze(-2)
    q = rope(q, pos, d_head, theta, max_seq_len)
    k = rope(k, pos, d_head, theta, max_seq_len)
    y = scaled_dot_product_attention(q, k, v)
    return y.transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight.T
