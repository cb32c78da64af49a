"""Wrong: load_state_dict(strict=False) accepts a model with more layers than the saved one without an error."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    model.load_state_dict(saved["model"], strict=False)
    try:
        optimizer.load_state_dict(saved["optimizer"])
    except ValueError:
        pass
    return saved["step"]
