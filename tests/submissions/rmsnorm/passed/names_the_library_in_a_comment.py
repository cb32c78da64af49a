"""The library's norm stands in a comment, in a string, and under __main__ only."""

import torch


# Checked against torch.nn.functional.rms_norm and nn.RMSNorm.
ABOUT = "the same as F.rms_norm(x, (d,), weight, eps)"


def rmsnorm(x, weight, eps=1e-5):
    wide = x.float()
    return (wide * (wide.square().mean(-1, True) + eps).rsqrt() * weight).to(x.dtype)


if __name__ == "__main__":
    x, w = torch.randn(3, 8), torch.randn(8)
    torch.testing.assert_close(rmsnorm(x, w), torch.nn.functional.rms_norm(x, (8,), w, 1e-5))
