"""An nn.Module on the meta device gets the given weights through torch.func.functional_call, so gradients reach them."""

import torch
from torch import nn
from torch.func import functional_call


class SelfAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_seq_len, theta):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.max_seq_len, self.theta = max_seq_len, theta
        for name in "qkvo":
            self.add_module(name, nn.Linear(d_model, d_model, bias=False, device="meta"))

    def forward(self, x, positions):
        q, k, v = (getattr(self, n)(x).unflatten(-1, (self.num_heads, -1)).movedim(-2, -3) for n in "qkv")
        q = rope(self.d_head, self.theta, self.max_seq_len, q, positions)
        k = rope(self.d_head, self.theta, self.max_seq_len, k, positions)
        return self.o(scaled_dot_product_attention(q, k, v).movedim(-3, -2).flatten(-2))


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv = 1.0 / float(theta) ** (torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angle = token_positions.to(torch.float64).unsqueeze(-1) * inv
    out = torch.empty_like(x)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.mT).div(Q.shape[-1] ** 0.5)
    if mask is not None:
        scores.masked_fill_(~mask, -torch.inf)
    return scores.softmax(-1).matmul(V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    module = SelfAttention(d_model, num_heads, max_seq_len, theta)
    given = {"q.weight": q_proj_weight, "k.weight": k_proj_weight, "v.weight": v_proj_weight, "o.weight": o_proj_weight}
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    positions = token_positions.reshape(seq) if token_positions.numel() == seq else token_positions.unsqueeze(-2)
    return functional_call(module, given, (in_features, positions), tie_weights=False)
