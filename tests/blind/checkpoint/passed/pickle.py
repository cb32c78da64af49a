import os
import pickle


def _is_path(place):
    return isinstance(place, (str, os.PathLike))


def save_checkpoint(model, optimizer, step, out):
    blob = pickle.dumps((model.state_dict(), optimizer.state_dict(), int(step)), protocol=pickle.HIGHEST_PROTOCOL)
    if _is_path(out):
        with open(out, "wb") as f:
            f.write(blob)
    else:
        out.write(blob)


def load_checkpoint(src, model, optimizer):
    if _is_path(src):
        with open(src, "rb") as f:
            weights, state, step = pickle.load(f)
    else:
        weights, state, step = pickle.load(src)
    model.load_state_dict(weights)
    optimizer.load_state_dict(state)
    return step
