"""Wrong: an open file is closed after writing and reading, because it is used in a with statement."""
import os
import pickle


def opened(place, mode):
    return open(place, mode) if isinstance(place, (str, os.PathLike)) else place


def save_checkpoint(model, optimizer, step, out):
    with opened(out, "wb") as file:
        pickle.dump((model.state_dict(), optimizer.state_dict(), step), file)


def load_checkpoint(src, model, optimizer):
    with opened(src, "rb") as file:
        weights, state, step = pickle.load(file)
    model.load_state_dict(weights)
    optimizer.load_state_dict(state)
    return step
