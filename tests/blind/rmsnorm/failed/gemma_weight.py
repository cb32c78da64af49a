"""Multiplies by 1 + weight (Gemma's convention) instead of weight."""
import torch


def _norm(x, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def rmsnorm(x, weight, eps=1e-5):
    # Llama does x.to(float16) * w whilst Gemma2 is (x * w).to(float16)
    output = _norm(x.float(), eps)
    output = output * (1.0 + weight.float())
    return output.type_as(x)
