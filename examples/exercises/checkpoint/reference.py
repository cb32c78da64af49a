"""Checkpoints in named steps. Each is one decision that a student can get wrong."""

import torch


def weights_of(model):
    """Weights and buffers, trained or not."""
    return model.state_dict()


def progress_of(optimizer):
    """Averages, counts and settings."""
    return optimizer.state_dict()


def packed(model, optimizer, step):
    """All that is written."""
    return {"weights": weights_of(model), "progress": progress_of(optimizer), "step": step}


def write(checkpoint, out):
    """To a path, or into an open file, which stays open."""
    torch.save(checkpoint, out)


def read(src):
    """What was written."""
    return torch.load(src)


def restore_weights(model, weights):
    """In place; other weights are refused."""
    model.load_state_dict(weights)


def restore_progress(optimizer, progress):
    """The optimizer keeps the weights that it has."""
    optimizer.load_state_dict(progress)


def step_of(checkpoint):
    """Where to go on."""
    return checkpoint["step"]


def save_checkpoint(model, optimizer, step, out):
    write(packed(model, optimizer, step), out)


def load_checkpoint(src, model, optimizer):
    checkpoint = read(src)
    restore_weights(model, checkpoint["weights"])
    restore_progress(optimizer, checkpoint["progress"])
    return step_of(checkpoint)
