"""RoPE as one matrix for each position; a layer's weights behind an object that looks them up under their prefix."""

import torch


def residual(x, weight, eps, branch):
    mean_square = (x * x).sum(-1, keepdim=True) / x.size(-1)
    return x + branch(x / (mean_square + eps).sqrt() * weight)


def rotations(positions, width, theta):
    """(..., seq) -> (..., 1, seq, width, width)"""
    angles = positions.double()[..., None] * float(theta) ** (-torch.arange(0, width, 2).double() / width)
    matrix = torch.zeros(*positions.shape, width, width, dtype=torch.float64)
    first, second = torch.arange(0, width, 2), torch.arange(1, width, 2)
    matrix[..., first, first] = matrix[..., second, second] = angles.cos()
    matrix[..., first, second] = -angles.sin()
    matrix[..., second, first] = angles.sin()
    return matrix.unsqueeze(-4)


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    seq = x.size(-2)
    if token_positions is None:
        token_positions = torch.arange(seq)

    def attention(z):
        q, k, v = (
            torch.stack((z @ weights[f"attn.{role}_proj.weight"].mT).chunk(num_heads, dim=-1), dim=-3) for role in "qkv"
        )
        turn = rotations(token_positions, q.size(-1), theta).to(z.dtype)
        q, k = (torch.matmul(turn, y.unsqueeze(-1)).squeeze(-1) for y in (q, k))
        scores = q @ k.mT * q.size(-1) ** -0.5
        hidden = torch.ones(seq, seq).tril() == 0
        context = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1) @ v
        return torch.cat(context.unbind(dim=-3), dim=-1) @ weights["attn.o_proj.weight"].mT

    def feed_forward(z):
        gate = z @ weights["ffn.w1.weight"].mT
        return (gate.sigmoid() * gate * (z @ weights["ffn.w3.weight"].mT)) @ weights["ffn.w2.weight"].mT

    x = residual(x, weights["attn_norm.weight"], eps, attention)
    return residual(x, weights["ffn_norm.weight"], eps, feed_forward)


class Layer:
    def __init__(self, weights, number):
        self.weights, self.prefix = weights, f"layers.{number}."

    def __getitem__(self, name):
        return self.weights[self.prefix + name]


def transformer_lm(token_ids, weights, num_layers, num_heads, max_seq_len, theta, eps=1e-5):
    x = torch.nn.functional.embedding(token_ids, weights["token_embeddings.weight"])
    for number in range(num_layers):
        x = transformer_block(x, Layer(weights, number), num_heads, max_seq_len, theta, eps=eps)
    scale = ((x * x).sum(-1, keepdim=True) / x.size(-1) + eps).rsqrt()
    return (x * scale) @ (weights["final_norm.weight"] * weights["lm_head.weight"]).mT
