"""A right answer of the seventh corpus."""
import torch
from torch import Tensor


def _accumulator(dtype: torch.dtype) -> torch.dtype:
    match str(dtype):
        case "torch.float16" | "torch.bfloat16" | "torch.float32":
            return torch.float32
        case "torch.float64":
            return torch.float64
        case other:
            raise TypeError(f"floating point expected, not {other}")


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5, *, verbose: bool = False) -> Tensor:
    acc = _accumulator(x.dtype)
    z = x.to(acc)
    averager = torch.full((x.shape[-1], 1), 1.0 / x.shape[-1], dtype=acc, device=x.device)
    ms = (z * z) @ averager
    if verbose:
        print("mean squares between", ms.min().item(), "and", ms.max().item())
    ms.add_(eps)
    rms = ms.sqrt()
    return torch.div(z, rms).mul(weight.to(acc)).to(x.dtype)
