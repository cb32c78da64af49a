"""A right checkpoint: tensors become NumPy arrays, and the standard pickle writes everything to a path or an open file."""
import os
import pickle
from contextlib import nullcontext

import numpy as np
import torch


def convert(thing, kind, change):
    if isinstance(thing, kind):
        return change(thing)
    if isinstance(thing, dict):
        return {key: convert(value, kind, change) for key, value in thing.items()}
    if isinstance(thing, (list, tuple)):
        return type(thing)(convert(value, kind, change) for value in thing)
    return thing


def opened(place, mode):
    return open(place, mode) if isinstance(place, (str, os.PathLike)) else nullcontext(place)


def save_checkpoint(model, optimizer, step, out):
    everything = (dict(model.state_dict()), optimizer.state_dict(), int(step))
    with opened(out, "wb") as file:
        pickle.dump(convert(everything, torch.Tensor, lambda t: t.detach().cpu().numpy()), file)


def load_checkpoint(src, model, optimizer):
    with opened(src, "rb") as file:
        everything = pickle.load(file)
    weights, rest, step = convert(everything, np.ndarray, lambda a: torch.from_numpy(a.copy()))
    model.load_state_dict(weights)
    optimizer.load_state_dict(rest)
    return step
