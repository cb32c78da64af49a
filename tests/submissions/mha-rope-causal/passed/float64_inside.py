"""Everything is computed in float64 and cast back."""

import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key.double()
    angle = token_positions.double().unsqueeze(-1) * theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()), -1)
    return turned.flatten(-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.double() @ K.double().mT / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores[~mask.expand_as(scores)] = -math.inf
    return (scores.softmax(-1) @ V.double()).to(V.dtype)


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
