# Says: You use `torch.sqrt` but the file only has `from torch import Tensor`: add `import torch` at the top.
# Line: 16
# Names: import torch, torch.sqrt
# Kind: crash
"""Your RMSNorm. Read spec.md, fill in the function, then run `engine submit-build`."""

from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """Divide every vector of the last axis by its root mean square, then weigh the features.

    (..., d_model), (d_model,) -> (..., d_model), in the dtype of x.
    """
    squares = x.float().square().mean(dim=-1, keepdim=True)
    rms = torch.sqrt(squares + eps)
    return (x.float() / rms * weight.float()).to(x.dtype)
