"""Wrong: `step or 1` takes step 0 for a missing one and returns 1."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step or None}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    return saved["step"] or 1
