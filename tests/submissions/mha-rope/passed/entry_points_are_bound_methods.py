"""The three names are bound to methods of one object at the end of the file."""

import math
import torch


class Attention:
    def rope(self, d_k, theta, max_seq_len, in_query_or_key, token_positions):
        angle = token_positions[..., None] * theta ** (-torch.arange(0, d_k, 2) / d_k)
        c, s = angle.cos().to(in_query_or_key), angle.sin().to(in_query_or_key)
        a, b = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
        return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)

    def attend(self, Q, K, V, mask=None):
        scores = Q @ K.mT / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return scores.softmax(-1) @ V

    def multihead(self, d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
        assert d_model % num_heads == 0
        pos = torch.arange(in_features.shape[-2]) if token_positions is None else token_positions
        q, k, v = ((in_features @ w.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
        q = self.rope(d_model // num_heads, theta, max_seq_len, q, pos.unsqueeze(-2))
        k = self.rope(d_model // num_heads, theta, max_seq_len, k, pos.unsqueeze(-2))
        return self.attend(q, k, v).transpose(-3, -2).flatten(-2) @ o_proj_weight.T


_attention = Attention()
rope = _attention.rope
scaled_dot_product_attention = _attention.attend
multihead_self_attention_with_rope = _attention.multihead
