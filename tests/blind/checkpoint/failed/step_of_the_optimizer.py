"""Wrong: the step that is returned is the optimizer's own count (0 where it has none), not the step that was saved."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    counts = [int(s["step"]) for s in saved["optimizer"]["state"].values() if "step" in s]
    return max(counts, default=0)
