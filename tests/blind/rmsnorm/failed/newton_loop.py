"""The square root is found with a loop that waits for an exact fixed point and never ends."""
import torch


def my_sqrt(a):
    guess = torch.ones_like(a)
    while True:
        better = 0.5 * (guess + a / guess)
        if torch.equal(better * better, a):
            return better
        guess = better


def rmsnorm(x, weight, eps=1e-5):
    ms = x.float().pow(2).mean(-1, keepdim=True)
    return (x.float() / my_sqrt(ms + eps)).to(x.dtype) * weight
