"""Wrong: the optimizer is not saved, so its averages, counts and learning rate are those of the optimizer that is given to load_checkpoint."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    model.load_state_dict(saved["model"])
    return saved["step"]
