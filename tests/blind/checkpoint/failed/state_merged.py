"""The saved averages are added to the present ones: where the saved optimizer had made no step, the old averages stay."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    checkpoint = torch.load(src)
    model.load_state_dict(checkpoint["model"])
    now = optimizer.state_dict()
    saved = checkpoint["optimizer"]
    optimizer.load_state_dict({"state": {**now["state"], **saved["state"]}, "param_groups": saved["param_groups"]})
    return checkpoint["step"]
