"""Checkpoints: a training run is written to a file, and goes on from there."""

import os
from typing import IO

import torch

Place = str | os.PathLike[str] | IO[bytes]


def save_checkpoint(model: torch.nn.Module, optimizer: torch.optim.Optimizer, step: int, out: Place) -> None:
    """Save everything that the training run needs to go on."""
    raise NotImplementedError


def load_checkpoint(src: Place, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Put it into the model and the optimizer, and return the step."""
    raise NotImplementedError
