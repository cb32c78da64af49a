"""The library's function in a script, of which only plain operations are seen.
Rule: no-library-norm
"""

import torch


@torch.jit.script
def f(x: torch.Tensor, w: torch.Tensor, eps: float) -> torch.Tensor:
    return torch.rms_norm(x, [x.size(-1)], w, eps)


def rmsnorm(x, weight, eps=1e-5):
    return f(x.float(), weight.float(), float(eps)).to(x.dtype)
