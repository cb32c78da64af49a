import math
import torch

NEG_INF = float("-inf")


def rotation_matrices(positions, d, theta, dtype):
    """(..., seq, d, d): block diagonal, one 2 by 2 rotation for each pair of features."""
    R = torch.zeros(*positions.shape, d, d, dtype=torch.float64)
    for i in range(d // 2):
        a = positions.double() / theta ** (2 * i / d)
        R[..., 2 * i, 2 * i] = torch.cos(a)
        R[..., 2 * i, 2 * i + 1] = -torch.sin(a)
        R[..., 2 * i + 1, 2 * i] = torch.sin(a)
        R[..., 2 * i + 1, 2 * i + 1] = torch.cos(a)
    return R.to(dtype)


class RMSNorm:
    def __init__(self, weight, eps):
        self.weight, self.eps = weight, eps

    def __call__(self, x):
        return self.weight * (x / (x.square().mean(-1, keepdim=True) + self.eps).sqrt())


class Attention:
    def __init__(self, weights, num_heads, theta):
        self.w = {name: weights[f"attn.{name}_proj.weight"] for name in "qkvo"}
        self.n, self.theta = num_heads, theta

    def split(self, z):
        return z.unflatten(-1, (self.n, -1)).movedim(-2, -3)

    def __call__(self, x, positions):
        q, k, v = (self.split(torch.matmul(x, self.w[c].mT)) for c in "qkv")
        R = rotation_matrices(positions, q.shape[-1], self.theta, x.dtype)
        R = R.unsqueeze(-4)  # the same for all heads
        q = (R @ q.unsqueeze(-1)).squeeze(-1)
        k = (R @ k.unsqueeze(-1)).squeeze(-1)
        s = torch.matmul(q, k.mT) / math.sqrt(q.shape[-1])
        n = s.shape[-1]
        bias = torch.full((n, n), NEG_INF, dtype=s.dtype).triu(1)
        s = s + bias
        e = torch.exp(s - s.amax(-1, keepdim=True).detach())
        p = e / e.sum(-1, keepdim=True)
        y = torch.matmul(p, v)
        return y.movedim(-3, -2).flatten(-2).matmul(self.w["o"].mT)


class SwiGLU:
    def __init__(self, weights):
        self.up, self.down, self.gated = (weights[f"ffn.w{i}.weight"] for i in (1, 2, 3))

    def __call__(self, x):
        g = x.matmul(self.up.mT)
        return (torch.sigmoid(g) * g * x.matmul(self.gated.mT)).matmul(self.down.mT)


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    if token_positions is None:
        token_positions = torch.arange(x.size(-2))
    norm1, norm2 = RMSNorm(weights["attn_norm.weight"], eps), RMSNorm(weights["ffn_norm.weight"], eps)
    x = x + Attention(weights, num_heads, theta)(norm1(x), token_positions)
    x = x + SwiGLU(weights)(norm2(x))
    return x
