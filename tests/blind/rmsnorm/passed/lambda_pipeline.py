"""Small lambdas chained one after the other."""

import torch

widen = lambda t: t if t.dtype == torch.float64 else t.float()  # noqa: E731
inv_rms = lambda t, e: torch.rsqrt(t.square().mean(-1, keepdim=True) + e)  # noqa: E731
rmsnorm = lambda x, weight, eps=1e-5: (widen(x) * inv_rms(widen(x), eps) * widen(weight)).to(x.dtype)  # noqa: E731
