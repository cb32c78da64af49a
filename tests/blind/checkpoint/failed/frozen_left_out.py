"""Frozen weights are left out."""
import torch


def save_checkpoint(model, optimizer, step, out):
    frozen = {n for n, p in model.named_parameters() if not p.requires_grad}
    weights = {k: v for k, v in model.state_dict().items() if k not in frozen}
    torch.save({"model": weights, "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    checkpoint = torch.load(src)
    model.load_state_dict({**{n: p for n, p in model.named_parameters() if not p.requires_grad}, **checkpoint["model"]})
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["step"]
