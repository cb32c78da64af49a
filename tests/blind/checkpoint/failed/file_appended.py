"""Wrong: a path is opened for appending, so a file that was there is not replaced, and loading finds the oldest checkpoint in it."""
import os
import pickle


def save_checkpoint(model, optimizer, step, out):
    run = (model.state_dict(), optimizer.state_dict(), step)
    if isinstance(out, (str, os.PathLike)):
        with open(out, "ab") as file:
            pickle.dump(run, file)
    else:
        pickle.dump(run, out)


def load_checkpoint(src, model, optimizer):
    if isinstance(src, (str, os.PathLike)):
        with open(src, "rb") as file:
            weights, state, step = pickle.load(file)
    else:
        weights, state, step = pickle.load(src)
    model.load_state_dict(weights)
    optimizer.load_state_dict(state)
    return step
