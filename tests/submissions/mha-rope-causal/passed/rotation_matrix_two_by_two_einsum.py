"""A 2x2 rotation for each pair, applied with einsum."""

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    half = d_k // 2
    angle = token_positions.unsqueeze(-1) * torch.tensor([theta ** (-2 * i / d_k) for i in range(half)])
    R = torch.stack([torch.stack([angle.cos(), -angle.sin()], -1), torch.stack([angle.sin(), angle.cos()], -1)], -2)
    x = in_query_or_key.unflatten(-1, (half, 2))
    return torch.einsum("...pij,...pj->...pi", R.to(x.dtype), x).flatten(-2)


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
        merged = scaled_dot_product_attention(q, k, v, ~torch.triu(torch.ones(q.shape[-2], q.shape[-2]), diagonal=1).bool()).transpose(-3, -2).flatten(-2)
        return merged @ wo.T


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    attention = CausalSelfAttentionWithoutMask(d_model, num_heads, max_seq_len, theta)
    return attention(in_features, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, token_positions)
