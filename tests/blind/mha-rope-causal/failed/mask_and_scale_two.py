"""Two mistakes: the mask is cut off at the wrong side (tril of the flipped matrix) and the scores are not scaled."""
import torch


def _swap_pairs(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, device=in_query_or_key.device, dtype=torch.float64)
    angle = token_positions[..., None] * float(theta) ** (-2 * i / d_k)
    angle = angle.repeat_interleave(2, dim=-1)
    cos, sin = angle.cos().type_as(in_query_or_key), angle.sin().type_as(in_query_or_key)
    return in_query_or_key * cos + _swap_pairs(in_query_or_key) * sin


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    scores = scores - scores.max(-1, keepdim=True).values
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    Q = (in_features @ q_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, pos)
    K = rope(d_head, theta, max_seq_len, K, pos)
    mask = torch.ones(seq, seq, dtype=torch.bool, device=in_features.device).tril().T
    heads = scaled_dot_product_attention(Q, K, V, mask)
    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
