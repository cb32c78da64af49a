"""Right, with prints from debugging left in: whole tensors go to NumPy and to lists, and nothing comes back."""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    """Turn the pair of features (2i, 2i+1) of the token at position p by the angle p * theta^(-2i/d_k)."""
    x = in_query_or_key
    i = torch.arange(0, d_k, 2, device=x.device)
    frequency = theta ** (-i.double() / d_k)
    angle = token_positions.to(x.device).double().unsqueeze(-1) * frequency
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return turned.flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


_seen = set()


def _printed_once(x):
    key = (x.data_ptr(), tuple(x.shape))
    is_new = key not in _seen
    _seen.add(key)
    return is_new


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    if _printed_once(in_features):
        print("first row", in_features.detach().numpy()[..., 0, :], flush=True)
        print("o_proj", o_proj_weight.detach().tolist()[0], "at", hex(o_proj_weight.data_ptr()))
    assert d_model % num_heads == 0, "every head needs the same number of features"
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape

    def split(x: Tensor) -> Tensor:  # (..., seq, d_model) -> (..., heads, seq, d_head)
        return x.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)

    Q, K, V = (split(in_features @ w.T) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)  # the same positions for every head
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    heads = scaled_dot_product_attention(Q, K, V)
    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
