"""Weights are saved as float32 (to save space), so float64 ones lose digits."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": {k: v.float() if v.is_floating_point() else v for k, v in model.state_dict().items()}, "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    checkpoint = torch.load(src)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["step"]
