"""The averages are kept in a dictionary of the class by index, so a second optimiser goes on with those of the first.

AdamW (Loshchilov and Hutter, 2019), without torch.optim."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class State:
    exp_avg: Tensor
    exp_avg_sq: Tensor
    step: int = field(default=0)


class AdamW:
    _state: dict[int, State] = {}

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        for name, value in (("lr", lr), ("eps", eps), ("weight_decay", weight_decay)):
            if value < 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        if any(b < 0.0 or b >= 1.0 for b in betas):
            raise ValueError(f"Invalid betas: {betas}")
        self._params: list[Tensor] = [*params]
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.beta1, self.beta2 = betas

    def step(self) -> None:
        with torch.no_grad():
            for index, p in enumerate(self._params):
                if p.grad is not None:
                    self._update(index, p, p.grad)

    def _update(self, index: int, p: Tensor, g: Tensor) -> None:
        if index not in self._state or self._state[index].exp_avg.shape != p.shape:
            self._state[index] = State(torch.zeros_like(p), torch.zeros_like(p))
        s = self._state[index]
        s.step += 1
        s.exp_avg.mul_(self.beta1).add_(g, alpha=1 - self.beta1)
        s.exp_avg_sq.mul_(self.beta2).addcmul_(g, g, value=1 - self.beta2)
        c1 = 1 - self.beta1**s.step
        c2 = 1 - self.beta2**s.step
        p.mul_(1 - self.lr * self.weight_decay)
        denom = (s.exp_avg_sq / c2).sqrt_().add_(self.eps)
        p.addcdiv_(s.exp_avg, denom, value=-self.lr / c1)

    def zero_grad(self) -> None:
        for p in self._params:
            p.grad = None
