# Says: `scaled_dot_product_attention` gives back a pair with `return output, attn`, so `out.transpose` in the multi-head function is asked of a tuple: return only `output`.
# Line: 22
# Names: tuple, return output
# Kind: crash
import math
import torch
from torch import Tensor

def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    f = theta ** (-torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k)
    a = token_positions.unsqueeze(-1) * f
    cos, sin = a.cos().to(in_query_or_key.dtype), a.sin().to(in_query_or_key.dtype)
    x1, x2 = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).flatten(-2)

def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    attn = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        attn = attn.masked_fill(~mask, float("-inf"))
    attn = torch.softmax(attn, dim=-1)
    output = attn @ V
    return output, attn

def multihead_self_attention_with_rope(d_model: int, num_heads: int, max_seq_len: int, theta: float, q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor, in_features: Tensor, token_positions: Tensor | None = None) -> Tensor:
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *lead, n, _ = in_features.shape
    def proj(w):
        return (in_features @ w.T).reshape(*lead, n, num_heads, d_head).transpose(-3, -2)
    q, k, v = proj(q_proj_weight), proj(k_proj_weight), proj(v_proj_weight)
    if token_positions is None:
        token_positions = torch.arange(n, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    out = scaled_dot_product_attention(q, k, v)
    out = out.transpose(-3, -2).reshape(*lead, n, d_model)
    return out @ o_proj_weight.T
