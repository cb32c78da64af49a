"""One flat dictionary: each weight under a name of its own, and the step among the rest."""

import torch

MODEL, STEP, PROGRESS = "m.", "step", "progress"


def save_checkpoint(model, optimizer, step, out):
    flat = {MODEL + name: tensor for name, tensor in model.state_dict().items()}
    flat[STEP] = torch.tensor(step)
    flat[PROGRESS] = optimizer.state_dict()
    torch.save(flat, out, _use_new_zipfile_serialization=False)


def load_checkpoint(src, model, optimizer):
    flat = torch.load(src)
    step, progress = flat.pop(STEP).item(), flat.pop(PROGRESS)
    optimizer.load_state_dict(progress)
    model.load_state_dict({name[len(MODEL) :]: tensor for name, tensor in flat.items()})
    return step
