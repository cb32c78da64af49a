"""Right: an inverted dropout of my own with a Bernoulli draw, and a softmax in float64."""
import torch
from torch import Tensor, nn


class WeightDropout(nn.Module):
    def __init__(self, p: float):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout is a fraction between 0 and 1, not {p}")
        self.p = p

    def extra_repr(self) -> str:
        return f"p={self.p}"

    def forward(self, w: Tensor) -> Tensor:
        match (self.training, self.p):
            case (False, _) | (_, 0 | 0.0):
                return w
            case (_, 1 | 1.0):
                return w * 0.0
            case (_, p):
                keep = torch.full_like(w, 1.0 - p).bernoulli()
                return w * keep / (1.0 - p)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest:
            raise ValueError(f"{d_out} features cannot be shared by {num_heads} heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = WeightDropout(dropout)
        positions = torch.arange(context_length)
        self.register_buffer("positions", positions, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        b, t, _ = x.shape
        shape = (b, t, self.num_heads, self.head_dim)
        q, k, v = (f(x).reshape(shape).movedim(2, 1) for f in (self.W_query, self.W_key, self.W_value))
        p = self.positions[:t]
        visible = p.unsqueeze(1).ge(p)
        scores = torch.einsum("...id,...jd->...ij", q, k) / self.head_dim**0.5
        wide = scores.double().masked_fill(visible.logical_not(), -torch.inf)
        weights = self.dropout(wide.softmax(-1).to(x.dtype))
        return self.out_proj(torch.einsum("...ij,...jd->...id", weights, v).movedim(1, 2).flatten(2))
