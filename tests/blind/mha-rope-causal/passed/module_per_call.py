"""Right: nn.Linear layers without bias filled by functional_call, and rope as a module with a buffer."""
import torch
from torch import nn
from torch.func import functional_call


class Rope(nn.Module):
    def __init__(self, d_k, theta, max_seq_len, like):
        super().__init__()
        p = torch.arange(max_seq_len, dtype=torch.float64, device=like.device)
        f = theta ** -(torch.arange(0, d_k, 2, dtype=torch.float64, device=like.device) / d_k)
        self.register_buffer("table", torch.outer(p, f), persistent=False)
        self.d_k = d_k

    def forward(self, x, positions):
        a = torch.index_select(self.table, 0, positions.flatten()).reshape(*positions.shape, -1)
        c, s = a.cos().to(x), a.sin().to(x)
        e, o = x.reshape(*x.shape[:-1], -1, 2).movedim(-1, 0)
        return torch.stack((e * c - o * s, e * s + o * c), dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return Rope(d_k, theta, max_seq_len, in_query_or_key)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) / Q.new_tensor(Q.size(-1)).sqrt()
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=Q.dtype, device=Q.device).masked_fill(~mask, float("-inf"))
        scores = scores + bias
    return nn.Softmax(dim=-1)(scores).matmul(V)


class SelfAttention(nn.Module):
    def __init__(self, d_model, num_heads, turn, **factory):
        super().__init__()
        assert d_model % num_heads == 0, "num_heads does not divide d_model"
        self.h, self.turn = num_heads, turn
        self.layers = nn.ModuleDict({n: nn.Linear(d_model, d_model, bias=False, **factory) for n in "qkvo"})

    def forward(self, x):
        q, k, v = (self.layers[n](x).unflatten(-1, (self.h, -1)).transpose(-3, -2) for n in "qkv")
        n = x.size(-2)
        mask = torch.ones(n, n, dtype=torch.bool, device=x.device).tril_()
        y = scaled_dot_product_attention(self.turn(q), self.turn(k), v, mask)
        return self.layers["o"](y.transpose(-3, -2).flatten(-2))


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None
):
    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2), device=in_features.device)
    d_head = d_model // num_heads
    turn = lambda t: rope(d_head, theta, max_seq_len, t, token_positions.unsqueeze(-2))
    model = SelfAttention(d_model, num_heads, turn, device="meta", dtype=in_features.dtype)
    names = {f"layers.{n}.weight": w for n, w in zip("qkvo", (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight))}
    return functional_call(model, names, (in_features,))
