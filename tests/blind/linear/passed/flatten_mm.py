import torch
from torch import nn, Tensor
from dataclasses import dataclass


@dataclass(frozen=True)
class Init:
    fan_in: int
    fan_out: int
    cut: float = 3.0

    @property
    def std(self) -> float:
        return (2.0 / (self.fan_in + self.fan_out)) ** 0.5


class Linear(nn.Module):
    def __init__(self, in_features: int, out_features: int, device=None, dtype=None, cut: float = 3.0):
        super().__init__()
        init = Init(in_features, out_features, cut)
        self.register_parameter(
            "weight", nn.Parameter(torch.empty(out_features, in_features, device=device, dtype=dtype))
        )
        nn.init.trunc_normal_(self.weight, 0.0, init.std, -init.cut * init.std, init.cut * init.std)

    def forward(self, x: Tensor) -> Tensor:
        if x.shape[-1] != self.weight.shape[1]:
            raise ValueError(f"expected {self.weight.shape[1]} features, got {x.shape[-1]}")
        lead = x.shape[:-1]
        flat = x.reshape(-1, x.shape[-1])
        out = torch.mm(flat, self.weight.transpose(0, 1))
        return out.reshape(*lead, self.weight.shape[0])
