"""The mask starts one diagonal too late: each token also attends to the next one.

Shows for two tokens or more.
"""
import torch
from einops import einsum, rearrange
from torch import nn, Tensor


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, num_heads: int, qkv_bias: bool = False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.n_heads = num_heads
        self.W_q = nn.Linear(d_in, d_out, qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, qkv_bias)
        self.W_o = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        # tril keeps what may be seen, k=1 leaves the diagonal in
        self.register_buffer("visible", torch.ones(context_length, context_length).tril(1).bool())

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
