"""RMSNorm in the dtype of x from start to end.

Wrong: float16 numbers are squared in float16.
When: float16 with values of some hundreds.
Spec: «Squares and their mean are taken in float32 at least: in float16, the square of 300 is infinite.»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    squares = x * x
    return x * torch.rsqrt(squares.float().mean(-1, keepdim=True) + eps).to(x.dtype) * weight
