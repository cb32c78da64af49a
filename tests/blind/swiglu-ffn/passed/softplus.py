import torch
from torch import Tensor, nn


class FeedForward:
    """sigma(z) = exp(-softplus(-z)) = exp(min(z, 0) - log1p(exp(-|z|)))"""

    def __init__(self, up: Tensor, down: Tensor, side: Tensor):
        self.up, self.down, self.side = up, down, side

    @staticmethod
    def activation(z: Tensor) -> Tensor:
        return torch.exp(nn.functional.logsigmoid(z)).mul(z)

    def __call__(self, x: Tensor) -> Tensor:
        return (self.activation(x.matmul(self.up.t())) * x.matmul(self.side.t())).matmul(self.down.t())


def swiglu_ffn(x: Tensor, w1: Tensor, w2: Tensor, w3: Tensor) -> Tensor:
    return FeedForward(w1, w2, w3)(x)
