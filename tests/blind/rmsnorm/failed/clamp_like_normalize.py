"""eps is a lower bound for the mean square, as F.normalize does it, instead of a summand."""
# expect: eps clamps instead of adding
# ============================================================
# RMSNorm: Root Mean Square Layer Normalization
# Paper: Zhang & Sennrich, 2019
# ============================================================

from typing import Union

import torch

Number = Union[int, float]


def _compute_dtype(dtype: torch.dtype) -> torch.dtype:
    """Return the dtype in which statistics are accumulated."""
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype


def rmsnorm(x: torch.Tensor, weight: torch.Tensor, eps: Number = 1e-5) -> torch.Tensor:
    """Apply RMSNorm along the last dimension.

    Args:
        x: Input of shape ``(..., d_model)``.
        weight: Gain of shape ``(d_model,)``.
        eps: Added to the mean square for numerical stability.

    Returns:
        Tensor of the same shape and dtype as ``x``.
    """
    assert x.shape[-1] == weight.shape[0], "weight must match the last dimension"

    # Step 1: Upcast for numerical stability
    input_dtype = x.dtype
    x_up = x.to(_compute_dtype(input_dtype))

    # Step 2: Mean of squares
    variance = x_up.pow(2).mean(-1, keepdim=True)

    # Step 3: Normalize
    x_norm = x_up * torch.rsqrt(variance.clamp_min(eps))

    # Step 4: Scale and cast back
    return (weight.to(x_up.dtype) * x_norm).to(input_dtype)


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(2, 3, 8)
    w = torch.ones(8)
    out = rmsnorm(x, w)
    assert out.shape == x.shape
    rms = out.pow(2).mean(-1).sqrt()
    assert torch.allclose(rms, torch.ones_like(rms), atol=1e-3)
    print("All checks passed!")


if __name__ == "__main__":
    main()
