"""A right answer of the seventh corpus."""
import torch
import torch.nn as nn


@torch.jit.script
def core(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, visible: torch.Tensor, p: float, training: bool):
    scale = float(q.size(-1)) ** -0.5
    att = torch.matmul(q * scale, k.transpose(-2, -1))
    att = att.masked_fill(visible == 0, -float("inf"))
    att = torch.softmax(att, -1)
    att = torch.dropout(att, p, training)
    return torch.matmul(att, v)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise AssertionError("heads")
        self.n_head = num_heads
        self.W_query = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_key = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.W_value = nn.Linear(in_features=d_in, out_features=d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(in_features=d_out, out_features=d_out)
        self.p = float(dropout)

    def forward(self, x):
        B, T, _ = x.size()
        visible = torch.eye(T, device=x.device).flip(1).cumsum(1).flip(1)
        visible = visible.flip(0).flip(1) if False else visible
        visible = torch.eye(T, device=x.device).cumsum(0)
        q = self.W_query(x).reshape(B, T, self.n_head, -1).permute(0, 2, 1, 3)
        k = self.W_key(x).reshape(B, T, self.n_head, -1).permute(0, 2, 1, 3)
        v = self.W_value(x).reshape(B, T, self.n_head, -1).permute(0, 2, 1, 3)
        y = core(q, k, v, visible, self.p, self.training)
        return self.out_proj(y.permute(0, 2, 1, 3).reshape(B, T, -1))
