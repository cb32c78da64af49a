# Says: The squares are taken in the dtype of `x`: in float16 the square of 300 is infinite, so convert to float32 before `x ** 2`.
# Line: 9
# Names: float32, x ** 2
# Kind: wrong idea
import torch


def rmsnorm(x, weight, eps=1e-5):
    rms = torch.sqrt((x ** 2).mean(-1, keepdim=True) + eps)
    return x / rms * weight
