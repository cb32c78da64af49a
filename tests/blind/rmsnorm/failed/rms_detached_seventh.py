"""The root mean square is treated as a constant (no_grad), so the gradient of x is wrong."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    x32 = x.float()
    with torch.no_grad():
        inv_rms = (x32.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
    return (x32 * inv_rms * weight.float()).to(x.dtype)
