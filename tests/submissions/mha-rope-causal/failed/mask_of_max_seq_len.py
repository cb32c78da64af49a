"""A triangle of max_seq_len that nobody cuts to the sequence.
Diagnosis: fixed-size-mask
"""

import torch
from torch import Tensor

def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    """LLaMA's way: a pair is a complex number."""
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float32, device=x.device) / d_k)
    angle = token_positions[..., None].float() * freqs
    turn = torch.polar(torch.ones_like(angle), angle)
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(z * turn).flatten(-2).type_as(x)

def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    att = torch.matmul(Q, K.mT) / (K.size(-1) ** 0.5)
    if mask is not None:
        att = att.masked_fill(mask == 0, torch.finfo(att.dtype).min)
    return att.softmax(-1) @ V

def multihead_self_attention_with_rope(d_model: int, num_heads: int, max_seq_len: int, theta: float,
                                       q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor,
                                       in_features: Tensor, token_positions: Tensor | None = None) -> Tensor:
    head, rest = divmod(d_model, num_heads)
    if rest != 0:
        raise ValueError("cannot split d_model into heads")
    seq = in_features.shape[-2]
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    q, k, v = [torch.nn.functional.linear(in_features, w).unflatten(-1, (num_heads, head)).transpose(-2, -3)
               for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    pos = pos.unsqueeze(-2)     # one axis for the heads
    q = rope(head, theta, max_seq_len, q, pos)
    k = rope(head, theta, max_seq_len, k, pos)
    keep = torch.ones(max_seq_len, max_seq_len, dtype=torch.bool, device=in_features.device).tril()
    y = scaled_dot_product_attention(q, k, v, keep)
    return torch.nn.functional.linear(y.transpose(-2, -3).flatten(-2), o_proj_weight)
