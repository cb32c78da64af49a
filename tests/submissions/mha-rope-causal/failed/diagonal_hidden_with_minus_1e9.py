"""tril(-1) and -1e9: the first token gets the average.
Diagnosis: causal-mask
"""

import torch
import torch.nn.functional as F
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
    logits = torch.einsum("...qd,...kd->...qk", Q, K) * (Q.shape[-1] ** -0.5)
    if mask is not None:
        logits = logits.masked_fill(~mask, -torch.inf)
    probs = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", probs, V)


class CausalSelfAttentionWithoutMask:
    """The weights are handed in; nothing is learned here."""

    def __init__(self, d_model, num_heads, max_seq_len, theta):
        assert d_model % num_heads == 0
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.max_seq_len = max_seq_len
        self.theta = theta

    def _split(self, t):
        return t.unflatten(-1, (self.num_heads, self.d_head)).transpose(-3, -2)

    def _rotate(self, t, positions):
        return rope(self.d_head, self.theta, self.max_seq_len, t, positions)

    def __call__(self, x, wq, wk, wv, wo, positions=None):
        q, k, v = self._split(x @ wq.T), self._split(x @ wk.T), self._split(x @ wv.T)
        if positions is None:
            positions = torch.arange(x.shape[-2], device=x.device)
        positions = positions.unsqueeze(-2)
        q = self._rotate(q, positions)
        k = self._rotate(k, positions)
        merged = scaled_dot_product_attention(q, k, v, torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool).tril(-1)).transpose(-3, -2).flatten(-2)
        return merged @ wo.T


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    attention = CausalSelfAttentionWithoutMask(d_model, num_heads, max_seq_len, theta)
    return attention(in_features, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, token_positions)
