"""The library's attention behind a short name.

Idea: The library's scaled dot product attention does the work of the student's own.
Where: everywhere
Rule: no-library-attention
"""

import torch
import torch.nn.functional as F
from einops import einsum, rearrange


def _rotations(d_k, theta, positions):
    freq = theta ** (-2.0 * torch.arange(d_k // 2, dtype=torch.float64, device=positions.device) / d_k)
    angle = einsum(positions.double(), freq, "... s, p -> ... s p")
    c, s = torch.cos(angle), torch.sin(angle)
    return rearrange(torch.stack([c, -s, s, c], dim=-1), "... (i j) -> ... i j", i=2, j=2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    turn = _rotations(d_k, theta, token_positions).to(in_query_or_key.dtype)
    pairs = rearrange(in_query_or_key, "... s (p j) -> ... s p j", j=2)
    turned = (turn @ pairs.unsqueeze(-1)).squeeze(-1)
    return rearrange(turned, "... s p i -> ... s (p i)")


_attend = getattr(F, "scaled_dot_" + "product_attention")


def scaled_dot_product_attention(Q, K, V, mask=None):
    return _attend(Q, K, V, attn_mask=mask)


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
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape

    def heads(weight):
        y = in_features @ weight.T
        return y.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)  # one axis for the heads
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
