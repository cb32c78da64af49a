"""Checkpoints with a small class that knows the parts of a training run."""

import torch

FORMAT = 1


class Archive:
    """What is written, and where it goes back to."""

    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def contents(self, step):
        """Everything by name."""
        tensors = {}
        for name, tensor in self.model.state_dict().items():
            tensors[name] = tensor.detach().clone()
        progress = self.optimizer.state_dict()
        return {"format": FORMAT, "tensors": tensors, "progress": progress, "step": step}

    def fill(self, contents):
        """Everything back to its place."""
        if contents["format"] != FORMAT:
            raise ValueError("this file was written by another version")
        progress = contents["progress"]
        self.model.load_state_dict(contents["tensors"])
        self.optimizer.load_state_dict(progress)
        return contents["step"]


def save_checkpoint(model, optimizer, step, out):
    """To a path or an open file."""
    contents = Archive(model, optimizer).contents(step)
    torch.save(contents, out)


def load_checkpoint(src, model, optimizer):
    """From a path or an open file; gives the step."""
    contents = torch.load(src)
    return Archive(model, optimizer).fill(contents)
