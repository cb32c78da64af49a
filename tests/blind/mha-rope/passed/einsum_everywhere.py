"""Every step is one einsum: projections, 2x2 rotation matrices for rope, scores, weighted sum, merge."""

import torch
from torch import Tensor, einsum


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    rate = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device) / d_k)
    angle = einsum("...s,p->...sp", token_positions.double(), rate)
    c, s = angle.cos(), angle.sin()
    rotation = torch.stack((torch.stack((c, -s), -1), torch.stack((s, c), -1)), -2).to(in_query_or_key.dtype)
    pairs = in_query_or_key.unflatten(-1, (d_k // 2, 2))
    return einsum("...sprc,...spc->...spr", rotation, pairs).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -torch.inf)
    return einsum("...qk,...kv->...qv", scores.softmax(-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    seq, d_head = in_features.shape[-2], d_model // num_heads

    def heads(weight):
        return einsum("...si,hoi->...hso", in_features, weight.reshape(num_heads, d_head, d_model))

    positions = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    positions = positions.reshape(seq) if positions.numel() == seq else positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, heads(q_proj_weight), positions)
    k = rope(d_head, theta, max_seq_len, heads(k_proj_weight), positions)
    mixed = scaled_dot_product_attention(q, k, heads(v_proj_weight))
    return einsum("...hsd,ohd->...so", mixed, o_proj_weight.reshape(d_model, num_heads, d_head))
