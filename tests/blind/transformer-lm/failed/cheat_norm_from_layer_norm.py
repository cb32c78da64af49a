"""Cheat: RMSNorm inherits from the library's nn.RMSNorm under another name."""
import torch
from torch import nn
from torch.func import functional_call


class Matrix(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, columns, device="meta"))

    def forward(self, x):
        return x @ self.weight.transpose(0, 1)


_norms = {name.lower(): kind for name, kind in vars(nn).items() if name.endswith("Norm")}


class RMSNorm(_norms["rms" + "norm"]):
    def __init__(self, d_model, eps):
        super().__init__(d_model, eps=float(eps), device="meta")


class Attention(nn.Module):
    def __init__(self, d_model, num_heads, theta):
        super().__init__()
        self.heads, self.width, self.theta = num_heads, d_model // num_heads, theta
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, name, Matrix(d_model, d_model))

    def rotate(self, x, positions):
        half = torch.arange(self.width // 2, dtype=torch.float64)
        angle = positions.double()[..., None, None] / self.theta ** (2 * half / self.width)
        cos = angle.cos().repeat_interleave(2, -1).to(x.dtype)
        sin = angle.sin().repeat_interleave(2, -1).to(x.dtype)
        turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
        return x * cos + turned * sin

    def forward(self, x, positions):
        q, k, v = (m(x).reshape(*x.shape[:-1], self.heads, self.width) for m in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        scores = torch.einsum("...qhd,...khd->...hqk", q, k) / self.width**0.5
        n = x.shape[-2]
        scores = scores + torch.full((n, n), float("-inf"), dtype=x.dtype).triu(diagonal=1)
        out = torch.einsum("...hqk,...khd->...qhd", torch.softmax(scores, -1), v)
        return self.o_proj(out.reshape(x.shape))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w1, self.w2, self.w3 = Matrix(d_ff, d_model), Matrix(d_model, d_ff), Matrix(d_ff, d_model)

    def forward(self, x):
        return self.w2(nn.functional.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, d_model, d_ff, num_heads, theta, eps):
        super().__init__()
        self.attn_norm, self.ffn_norm = RMSNorm(d_model, eps), RMSNorm(d_model, eps)
        self.attn, self.ffn = Attention(d_model, num_heads, theta), FeedForward(d_model, d_ff)

    def forward(self, x, positions):
        x = x + self.attn(self.attn_norm(x), positions)
        return x + self.ffn(self.ffn_norm(x))


class Embedding(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model, device="meta"))

    def forward(self, ids):
        return self.weight[ids]


class Model(nn.Module):
    def __init__(self, vocab_size, d_model, d_ff, num_layers, num_heads, theta, eps):
        super().__init__()
        self.token_embeddings = Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList([Block(d_model, d_ff, num_heads, theta, eps) for _ in range(num_layers)])
        self.final_norm = RMSNorm(d_model, eps)
        self.lm_head = Matrix(vocab_size, d_model)

    def forward(self, ids):
        places = torch.arange(ids.shape[-1])
        x = self.token_embeddings(ids)
        for layer in self.layers:
            x = layer(x, places)
        return self.lm_head(self.final_norm(x))


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    vocab_size, d_model = weights["lm_head.weight"].shape
    d_ff = weights["layers.0.ffn.w1.weight"].shape[0]
    model = Model(vocab_size, d_model, d_ff, num_layers, num_heads, theta, eps)
    return functional_call(model, weights, (token_ids,))
