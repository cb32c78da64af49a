"""A right answer of the seventh corpus."""
import torch
from torch import nn
from torch.func import functional_call


class RoPE(nn.Module):
    def __init__(self, theta, d_k):
        super().__init__()
        self.theta, self.d_k = theta, d_k

    def forward(self, x, positions):
        return rope(self.d_k, self.theta, None, x, positions)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    k = torch.arange(1, d_k // 2 + 1, device=x.device)
    a = torch.einsum("...i,k->...ik", token_positions.to(torch.float64), theta ** (-(2 * k.double() - 2) / d_k))
    rot = torch.stack((a.cos(), -a.sin(), a.sin(), a.cos()), dim=-1).unflatten(-1, (2, 2)).to(x.dtype)
    return (rot @ x.unflatten(-1, (-1, 2)).unsqueeze(-1)).squeeze(-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    pre = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    if mask is not None:
        pre = pre.masked_fill(mask == 0, float("-inf"))
    m = pre.max(dim=-1, keepdim=True).values
    num = (pre - m).exp()
    return num / num.sum(dim=-1, keepdim=True) @ V


class CausalMHA(nn.Module):
    def __init__(self, d_model, num_heads, theta):
        super().__init__()
        assert d_model % num_heads == 0
        self.h = num_heads
        with torch.device("meta"):
            self.q_proj = nn.Linear(d_model, d_model, bias=False)
            self.k_proj = nn.Linear(d_model, d_model, bias=False)
            self.v_proj = nn.Linear(d_model, d_model, bias=False)
            self.output_proj = nn.Linear(d_model, d_model, bias=False)
        self.rope = RoPE(theta, d_model // num_heads)

    def forward(self, x, positions=None):
        n = x.shape[-2]
        if positions is None:
            positions = torch.arange(n, device=x.device)
        q, k, v = (p(x).unflatten(-1, (self.h, -1)).transpose(-3, -2) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.rope(q, positions[..., None, :]), self.rope(k, positions[..., None, :])
        mask = ~torch.triu(torch.ones(n, n, dtype=torch.bool, device=x.device), diagonal=1)
        y = scaled_dot_product_attention(q, k, v, mask).transpose(-3, -2).flatten(-2)
        return self.output_proj(y.reshape(x.shape))


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    weights = {
        "q_proj.weight": q_proj_weight,
        "k_proj.weight": k_proj_weight,
        "v_proj.weight": v_proj_weight,
        "output_proj.weight": o_proj_weight,
    }
    return functional_call(CausalMHA(d_model, num_heads, theta), weights, (in_features, token_positions))
