# Says: The line `d_head = d_model // num_heads` is indented with a tab while the lines around it use spaces, so Python refuses the file with a TabError.
# Line: 26
# Names: tab, spaces
# Kind: refused
import math
import torch

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    f = 1.0 / theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    ang = token_positions.unsqueeze(-1) * f
    cos = ang.cos().to(in_query_or_key.dtype)
    sin = ang.sin().to(in_query_or_key.dtype)
    e = in_query_or_key[..., 0::2]
    o = in_query_or_key[..., 1::2]
    return torch.stack([e * cos - o * sin, e * sin + o * cos], dim=-1).flatten(-2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads must be 0")
	d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    Q = (in_features @ q_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    return out.transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight.T
