# Says: `def rmsnorm(x)` takes one argument, but it is called with `x`, `weight` and `eps`: add these two parameters.
# Line: 10
# Names: rmsnorm, weight
# Kind: crash
import torch

EPS = 1e-5


def rmsnorm(x):
    z = x.float()
    return (z * (z.square().mean(-1, True) + EPS).rsqrt()).to(x.dtype)
