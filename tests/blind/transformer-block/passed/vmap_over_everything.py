"""A right block for one sequence of vectors, which torch.vmap carries over heads and recursion over leading axes."""
import torch
from torch.nn.functional import linear, silu


def rms(x, g, eps):
    return x / torch.sqrt(torch.mean(x**2, -1, keepdim=True) + eps) * g


def one_head(q, k, v, cos, sin, hidden):
    def turn(t):
        a, b = t[:, ::2], t[:, 1::2]
        return torch.cat([(a * cos - b * sin)[..., None], (a * sin + b * cos)[..., None]], -1).flatten(1)

    logits = turn(q) @ turn(k).T / q.shape[1] ** 0.5
    return torch.softmax(torch.where(hidden, -torch.inf, logits), -1) @ v


def one_sequence(x, p, w, heads, theta, eps):
    n, d = x.shape
    d_head = d // heads
    speed = theta ** (torch.arange(0, -d_head, -2, dtype=torch.float64) / d_head)
    angle = p.double()[:, None] * speed
    cos, sin = angle.cos().to(x), angle.sin().to(x)
    hidden = ~torch.tril(torch.ones(n, n, dtype=torch.bool))
    z = rms(x, w["attn_norm.weight"], eps)
    q, k, v = (linear(z, w[f"attn.{c}_proj.weight"]).view(n, heads, d_head).transpose(0, 1) for c in "qkv")
    per_head = torch.vmap(one_head, in_dims=(0, 0, 0, None, None, None), out_dims=1)
    h = x + linear(per_head(q, k, v, cos, sin, hidden).reshape(n, d), w["attn.o_proj.weight"])
    z = rms(h, w["ffn_norm.weight"], eps)
    return h + linear(silu(linear(z, w["ffn.w1.weight"])) * linear(z, w["ffn.w3.weight"]), w["ffn.w2.weight"])


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    if token_positions is None:
        token_positions = torch.arange(x.shape[-2])
    if x.ndim == 2:
        return one_sequence(x, token_positions, weights, num_heads, theta, eps)
    rows = token_positions.expand(x.shape[:-1])
    return torch.stack(
        [transformer_block(a, weights, num_heads, max_seq_len, theta, p, eps) for a, p in zip(x, rows)]
    )
