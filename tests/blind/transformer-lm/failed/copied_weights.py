"""The weights are copied into a module with load_state_dict, so no gradient gets back to the caller's tensors.

The block as modules without memory of their own: functional_call brings the caller's weights."""
import math

import torch
from torch import nn
from torch.func import functional_call


class Norm(nn.Module):
    def __init__(self, d, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d))
        self.eps = eps

    def forward(self, x):
        return x / (x.pow(2).mean(-1, keepdim=True) + self.eps) ** 0.5 * self.weight


class Attn(nn.Module):
    def __init__(self, d, heads, theta):
        super().__init__()
        self.heads, self.theta = heads, theta
        for n in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, n, nn.Linear(d, d, bias=False))

    def turn(self, z, pos):
        d = z.shape[-1]
        a = pos[..., None].to(z.dtype) * torch.tensor([self.theta ** (-2 * i / d) for i in range(d // 2)], dtype=torch.float64).to(z.dtype)
        c, s = torch.cos(a), torch.sin(a)
        z0, z1 = z.unflatten(-1, (-1, 2)).unbind(-1)
        return torch.stack([c * z0 - s * z1, s * z0 + c * z1], -1).reshape(z.shape)

    def forward(self, x, pos):
        b, n, d = x.shape
        q, k, v = (f(x).view(b, n, self.heads, d // self.heads).transpose(1, 2) for f in (self.q_proj, self.k_proj, self.v_proj))
        q, k = self.turn(q, pos), self.turn(k, pos)
        w = (q @ k.transpose(2, 3)) / math.sqrt(q.shape[-1])
        w = w.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf).softmax(-1)
        return self.o_proj((w @ v).transpose(1, 2).contiguous().view(b, n, d))


class FFN(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.w1 = nn.Linear(d, f, bias=False)
        self.w2 = nn.Linear(f, d, bias=False)
        self.w3 = nn.Linear(d, f, bias=False)

    def forward(self, x):
        return self.w2(nn.functional.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, d, f, heads, theta, eps):
        super().__init__()
        self.attn_norm, self.ffn_norm = Norm(d, eps), Norm(d, eps)
        self.attn, self.ffn = Attn(d, heads, theta), FFN(d, f)

    def forward(self, x, pos):
        x = x + self.attn(self.attn_norm(x), pos)
        return x + self.ffn(self.ffn_norm(x))


class LM(nn.Module):
    def __init__(self, vocab, d, f, layers, heads, theta, eps):
        super().__init__()
        self.token_embeddings = nn.Embedding(vocab, d)
        self.layers = nn.ModuleList([Block(d, f, heads, theta, eps) for _ in range(layers)])
        self.final_norm = Norm(d, eps)
        self.lm_head = nn.Linear(d, vocab, bias=False)

    def forward(self, ids):
        x = self.token_embeddings(ids)
        pos = torch.arange(ids.shape[-1])
        for layer in self.layers:
            x = layer(x, pos)
        return self.lm_head(self.final_norm(x))


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    vocab, d = weights["token_embeddings.weight"].shape
    model = LM(vocab, d, weights["layers.0.ffn.w1.weight"].shape[0], num_layers, num_heads, theta, eps)
    ids = token_ids.reshape(-1, token_ids.shape[-1])
    model = model.to(weights["lm_head.weight"].dtype)
    model.load_state_dict(weights)
    return model(ids).reshape(*token_ids.shape, vocab)
