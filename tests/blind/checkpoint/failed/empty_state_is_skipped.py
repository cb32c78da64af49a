"""Wrong: if the saved optimizer had made no step yet, its state is empty and is skipped, so the given optimizer keeps its old averages."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    model.load_state_dict(saved["model"])
    if saved["optimizer"]["state"]:
        optimizer.load_state_dict(saved["optimizer"])
    return saved["step"]
