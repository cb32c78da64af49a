import torch


def _sigmoid(z):
    """1 / (1 + exp(-z)) without an exponential of anything positive."""
    small = torch.exp(-z.abs())
    return torch.where(z >= 0, 1.0, small) / (1 + small)


class _Silu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        s = _sigmoid(z)
        ctx.save_for_backward(z, s)
        return z * s

    @staticmethod
    def backward(ctx, g):
        z, s = ctx.saved_tensors
        return g * (s + z * s * (1 - s))


def swiglu_ffn(x, w1, w2, w3):
    h = _Silu.apply(torch.matmul(x, w1.transpose(0, 1)))
    h = h * torch.matmul(x, w3.transpose(0, 1))
    return torch.matmul(h, w2.transpose(0, 1))
