"""Wrong: load_checkpoint puts new nn.Parameter objects into the model, so the optimizer goes on training the old ones."""
import torch
from torch import nn


def save_checkpoint(model, optimizer, step, out):
    torch.save((model.state_dict(), optimizer.state_dict(), step), out)


def load_checkpoint(src, model, optimizer):
    weights, state, step = torch.load(src)
    model.load_state_dict(weights)
    for module in model.modules():
        for name, p in list(module.named_parameters(recurse=False)):
            setattr(module, name, nn.Parameter(p.detach().clone(), requires_grad=p.requires_grad))
    optimizer.load_state_dict(state)
    return step
