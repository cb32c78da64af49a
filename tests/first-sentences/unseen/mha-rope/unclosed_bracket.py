# Says: The bracket opened in `stacked = torch.stack((rot_even, rot_odd), dim=-1` is never closed, so Python cannot read the file: add the `)`.
# Line: 17
# Names: torch.stack, )
# Kind: refused
import math
import torch
from torch import Tensor

def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    exponent = torch.arange(0, d_k, 2, dtype=torch.float64) / d_k
    angles = token_positions.unsqueeze(-1) / (theta ** exponent)
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    rot_even = x[..., 0::2] * cos - x[..., 1::2] * sin
    rot_odd = x[..., 0::2] * sin + x[..., 1::2] * cos
    stacked = torch.stack((rot_even, rot_odd), dim=-1
    return stacked.flatten(-2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    return scores.softmax(-1) @ V

def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight,
                                       k_proj_weight, v_proj_weight, o_proj_weight, in_features,
                                       token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    def split(t):
        return t.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    Q = split(in_features @ q_proj_weight.T)
    K = split(in_features @ k_proj_weight.T)
    V = split(in_features @ v_proj_weight.T)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    return out.transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight.T
