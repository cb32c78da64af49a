"""The scale is read from the width of the values, which need not be that of the keys."""
# expect: scale from the value width
import math

import torch
from torch import nn
from torch.func import functional_call


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freq = torch.tensor([theta ** (-2 * i / d_k) for i in range(d_k // 2)], dtype=torch.float64)
    ang = (token_positions.unsqueeze(-1) * freq.to(token_positions.device)).repeat_interleave(2, -1)
    cos, sin = ang.cos().to(in_query_or_key.dtype), ang.sin().to(in_query_or_key.dtype)
    swapped = in_query_or_key.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)
    sign = torch.tensor([-1.0, 1.0], dtype=sin.dtype, device=sin.device).repeat(d_k // 2)
    return in_query_or_key * cos + swapped * (sin * sign)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = Q @ K.transpose(-1, -2)
    logits = logits.div(math.sqrt(V.size(-1)))
    if mask is not None:
        logits = logits.masked_fill(mask.eq(0), -math.inf)
    return nn.functional.softmax(logits, dim=-1).matmul(V)


class Layer(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads do not divide d_model")
        self.heads = heads
        for name in ("q", "k", "v", "o"):
            self.add_module(name, nn.Linear(d_model, d_model, bias=False, device="meta"))

    def forward(self, x, turn):
        split = lambda t: t.unflatten(-1, (self.heads, -1)).transpose(-3, -2)
        y = scaled_dot_product_attention(turn(split(self.q(x))), turn(split(self.k(x))), split(self.v(x)))
        return self.o(y.transpose(-3, -2).flatten(-2))


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
    layer = Layer(d_model, num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2), device=in_features.device)
    places = token_positions.unsqueeze(-2)

    def turn(t):
        return rope(d_model // num_heads, theta, max_seq_len, t, places)

    weights = {"q.weight": q_proj_weight, "k.weight": k_proj_weight, "v.weight": v_proj_weight, "o.weight": o_proj_weight}
    return functional_call(layer, weights, (in_features, turn))
