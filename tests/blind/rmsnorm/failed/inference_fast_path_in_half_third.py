"""RMSNorm with a fast path for inference.

Wrong: under inference_mode the squares are taken in the dtype of x.
Condition: torch.inference_mode() with float16 and values from 256 on (infinite squares).
Spec: "Squares and their mean are taken in float32 at least" / "also under ... torch.inference_mode()"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    if not torch.is_inference_mode_enabled():
        acc = torch.promote_types(dtype, torch.float32)
        x, weight = x.to(acc), weight.to(acc)
    rms = (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return (x / rms * weight).to(dtype)
