"""AdamW: Adam with decoupled weight decay."""

from collections.abc import Iterable

import torch


class AdamW:
    """Trains parameters in place, by their gradients."""

    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        raise NotImplementedError

    def step(self) -> None:
        """Change every parameter that has a gradient."""
        raise NotImplementedError

    def zero_grad(self) -> None:
        """Forget the gradients."""
        raise NotImplementedError
