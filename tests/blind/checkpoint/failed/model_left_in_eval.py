"""Wrong: save_checkpoint switches the model to evaluation mode and leaves it there."""
import torch


def save_checkpoint(model, optimizer, step, out):
    model.eval()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    return int(saved["step"])
