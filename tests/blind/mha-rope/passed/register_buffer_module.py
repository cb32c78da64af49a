"""A nn.Module with buffers for the tables, kept in a dict by (d_k, theta, max_seq_len, device)."""
import torch
import torch.nn.functional as F
from torch import Tensor


class RotaryEmbedding(torch.nn.Module):
    kept = {}

    def __init__(self, d_k, theta, max_seq_len, device):
        super().__init__()
        power = torch.arange(d_k // 2, device=device, dtype=torch.float64) * 2 / d_k
        angle = torch.arange(max_seq_len, device=device, dtype=torch.float64).outer(theta**-power)
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)

    @classmethod
    def of(cls, d_k, theta, max_seq_len, device):
        key = (d_k, theta, max_seq_len, device)
        if key not in cls.kept:
            with torch.inference_mode(False):
                cls.kept[key] = cls(*key)
        return cls.kept[key]

    def forward(self, x, positions):
        p = positions.to(torch.int64)
        cos = self.cos[p].repeat_interleave(2, dim=-1).to(x.dtype)
        sin = self.sin[p].repeat_interleave(2, dim=-1).to(x.dtype)
        turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
        return x * cos + turned * sin


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return RotaryEmbedding.of(d_k, theta, max_seq_len, in_query_or_key.device)(in_query_or_key, token_positions)


def softmax(s):
    top = s.amax(-1, keepdim=True).detach()
    e = torch.exp(s - top)
    return e / e.sum(-1, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = Q.shape[-1] ** -0.5
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * scale
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, float("-inf")))
    p = softmax(scores)
    return torch.einsum("...qk,...kv->...qv", p, V)


def positions_for(x, token_positions):
    seq = x.shape[-2]
    if token_positions is None:
        return torch.arange(seq, device=x.device)
    if token_positions.ndim == 1:
        return token_positions
    if x.ndim == 2:
        return token_positions[0]
    return token_positions[..., None, :]


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
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    d_head = d_model // num_heads
    x = in_features
    lead, seq = x.shape[:-2], x.shape[-2]
    q = F.linear(x, q_proj_weight)
    k = F.linear(x, k_proj_weight)
    v = F.linear(x, v_proj_weight)
    q, k, v = (t.reshape(*lead, seq, num_heads, d_head).movedim(-2, -3) for t in (q, k, v))
    pos = positions_for(x, token_positions)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    y = scaled_dot_product_attention(q, k, v)
    y = y.movedim(-3, -2).reshape(*lead, seq, d_model)
    return F.linear(y, o_proj_weight)
