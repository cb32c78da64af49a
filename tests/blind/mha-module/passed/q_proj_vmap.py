"""Right: torch.vmap maps the single head's function over batch and heads."""
import torch
from torch import Tensor, nn
from torch.func import vmap


def _head(q: Tensor, k: Tensor) -> Tensor:
    """(tokens, width) twice -> (tokens, tokens), the weights before dropout."""
    hidden = torch.ones(q.shape[0], q.shape[0], device=q.device).triu(1) > 0
    scores = torch.where(hidden, float("-inf"), q @ k.T / q.shape[-1] ** 0.5)
    return torch.softmax(scores, dim=-1)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        weights = vmap(_head)(self.q_proj(x), self.k_proj(x))
        return self.dropout(weights) @ self.v_proj(x)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        make = lambda: CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)
        self.heads = nn.ModuleList([make() for _ in range(num_heads)])

    def forward(self, x):
        return torch.cat(list(map(lambda head: head(x), self.heads)), dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "the heads share d_out"
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        weights = self.dropout(vmap(vmap(_head))(q, k))
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))
