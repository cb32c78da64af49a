"""The softmax as exp of the scores minus their logsumexp."""

import math
import torch
from torch import Tensor


def rotate_every_two(x):
    x1 = x[..., 0::2]
    x2 = x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).reshape(x.shape)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    k = torch.arange(d_k // 2, device=in_query_or_key.device)
    omega = torch.pow(torch.tensor(theta, dtype=torch.float64), -2.0 * k / d_k)
    t = torch.einsum("...i,j->...ij", token_positions.double(), omega)
    t = t.repeat_interleave(2, dim=-1)
    return in_query_or_key * t.cos().to(in_query_or_key.dtype) + rotate_every_two(in_query_or_key) * t.sin().to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-2, -1)).div(math.sqrt(Q.size(-1)))
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, -torch.inf)
    return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp() @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    batch_shape = Q.shape[:-2]
    seq_len = Q.shape[-2]
    Q = Q.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=Q.device)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q_rope = rope(d_head, theta, max_seq_len, Q, token_positions)
    K_rope = rope(d_head, theta, max_seq_len, K, token_positions)
    attn_output = scaled_dot_product_attention(Q_rope, K_rope, V, ~torch.triu(torch.ones(Q_rope.shape[-2], Q_rope.shape[-2]), diagonal=1).bool())
    attn_output = attn_output.transpose(-3, -2)
    attn_output = attn_output.reshape(*batch_shape, seq_len, d_model)
    return attn_output @ o_proj_weight.T
