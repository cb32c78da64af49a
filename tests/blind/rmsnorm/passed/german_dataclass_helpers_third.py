"""RMSNorm in einer kleinen Klasse mit Hilfsmethoden, deutsch kommentiert."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Normierer:
    gewicht: Tensor
    eps: float

    @staticmethod
    def _hochrechnen(t: Tensor) -> Tensor:
        # Halbe Genauigkeit reicht fuer Quadrate nicht: 300^2 ist in float16 unendlich.
        return t.float() if t.dtype in (torch.float16, torch.bfloat16) else t

    def _effektivwert(self, t: Tensor) -> Tensor:
        # Mittel der Quadrate (nicht Summe!), eps unter der Wurzel.
        quadrate = torch.square(t)
        return torch.sqrt(quadrate.sum(-1, keepdim=True).div(t.shape[-1]).add(self.eps))

    def __call__(self, x: Tensor) -> Tensor:
        hoch = self._hochrechnen(x)
        return self._hochrechnen(self.gewicht).mul(hoch / self._effektivwert(hoch)).to(x.dtype)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    return Normierer(weight, eps)(x)
