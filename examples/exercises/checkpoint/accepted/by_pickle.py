"""pickle, without torch's own format."""

import os
import pickle


def save_checkpoint(model, optimizer, step, out):
    packed = pickle.dumps([model.state_dict(), optimizer.state_dict(), step])
    if isinstance(out, (str, os.PathLike)):
        with open(out, "wb") as file:
            file.write(packed)
    else:
        out.write(packed)


def load_checkpoint(src, model, optimizer):
    if isinstance(src, (str, os.PathLike)):
        with open(src, "rb") as file:
            packed = file.read()
    else:
        packed = src.read()
    weights, progress, step = pickle.loads(packed)
    model.load_state_dict(weights)
    optimizer.load_state_dict(progress)
    return step
