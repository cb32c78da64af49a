"""An object that knows what belongs to a training run."""

from dataclasses import dataclass

import torch
from torch import nn, optim


@dataclass
class Training:
    model: nn.Module
    optimizer: optim.Optimizer
    step: int = 0

    def state_dict(self):
        return {"step": self.step, "parts": [self.model.state_dict(), self.optimizer.state_dict()]}

    def load_state_dict(self, state):
        self.step = state["step"]
        for part, of_part in zip([self.model, self.optimizer], state["parts"], strict=True):
            part.load_state_dict(of_part)
        return self


def save_checkpoint(model, optimizer, step, out):
    torch.save(Training(model, optimizer, step).state_dict(), out)


def load_checkpoint(src, model, optimizer):
    return Training(model, optimizer).load_state_dict(torch.load(src)).step
