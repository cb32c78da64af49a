"""Weights and buffers are copied one by one."""

import torch


def save_checkpoint(model, optimizer, step, out):
    weights = {name: each.detach().clone() for name, each in model.state_dict().items()}
    torch.save({"weights": weights, "optimizer": optimizer.state_dict(), "step": step}, out)


def _shapes(weights):
    return {name: each.shape for name, each in weights.items()}


@torch.no_grad()
def load_checkpoint(src, model, optimizer):
    checkpoint = torch.load(src)
    own = model.state_dict(keep_vars=True)
    if _shapes(own) != _shapes(checkpoint["weights"]):
        raise RuntimeError("the checkpoint is of another model")
    for name, each in own.items():
        each.copy_(checkpoint["weights"][name])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return int(checkpoint["step"])
