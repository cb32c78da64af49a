"""Wrong: the division by d was lost in a refactor, so it is the root of the sum, not of the mean."""
import torch
from torch import Tensor, nn
from torch.func import functional_call


class _RMS(nn.Module):
    def __init__(self, d: int, eps: float, **factory) -> None:
        super().__init__()
        self.d, self.eps = d, eps
        self.gain = nn.Parameter(torch.ones(d, **factory))

    def extra_repr(self) -> str:
        return f"{self.d}, eps={self.eps}"

    def _rms(self, x: Tensor) -> Tensor:
        return (torch.einsum("...i,...i->...", x, x) + self.eps).sqrt().unsqueeze(-1)

    def forward(self, x: Tensor) -> Tensor:
        wide = x.to(torch.float64)
        return ((wide / self._rms(wide)) * self.gain.double()).to(x.dtype)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    layer = _RMS(x.shape[-1], eps, dtype=weight.dtype, device=weight.device)
    return functional_call(layer, {"gain": weight}, (x,))
