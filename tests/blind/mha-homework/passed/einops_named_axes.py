"""Unusual: every change of axes is written with einops and every product with einsum; short layer names."""
from einops import einsum, rearrange
import torch
from torch import nn, Tensor


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_in: int, dim_out: int, max_len: int, p_drop: float, n_heads: int, bias: bool = False):
        super().__init__()
        if dim_out % n_heads:
            raise ValueError(f"{n_heads} heads cannot share {dim_out} features")
        self.n_heads = n_heads
        self.W_q = nn.Linear(dim_in, dim_out, bias)
        self.W_k = nn.Linear(dim_in, dim_out, bias)
        self.W_v = nn.Linear(dim_in, dim_out, bias)
        self.W_o = nn.Linear(dim_out, dim_out)
        self.drop = nn.Dropout(p_drop)
        self.register_buffer("visible", torch.ones(max_len, max_len).tril().bool(), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (
            rearrange(layer(x), "batch tok (head dim) -> batch head tok dim", head=self.n_heads)
            for layer in (self.W_q, self.W_k, self.W_v)
        )
        n = x.shape[1]
        logits = einsum(q, k, "batch head i dim, batch head j dim -> batch head i j") * q.shape[-1] ** -0.5
        logits = torch.where(self.visible[:n, :n], logits, float("-inf"))
        w = self.drop(logits.softmax(-1))
        out = einsum(w, v, "batch head i j, batch head j dim -> batch head i dim")
        return self.W_o(rearrange(out, "batch head tok dim -> batch tok (head dim)"))
