"""Wrong: a path that does not end in .pt gets that suffix, so the file has another name than the one that was asked for."""
import os
from pathlib import Path

import torch


def place(where):
    if isinstance(where, (str, os.PathLike)):
        return Path(where).with_suffix(".pt")
    return where


def save_checkpoint(model, optimizer, step, out):
    torch.save((model.state_dict(), optimizer.state_dict(), step), place(out))


def load_checkpoint(src, model, optimizer):
    weights, state, step = torch.load(place(src))
    model.load_state_dict(weights)
    optimizer.load_state_dict(state)
    return step
