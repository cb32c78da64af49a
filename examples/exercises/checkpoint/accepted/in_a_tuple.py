"""A tuple, in an order that both functions know."""

import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save((step, *(each.state_dict() for each in (model, optimizer))), out)


def load_checkpoint(src, model, optimizer):
    step, *states = torch.load(src, map_location="cpu", weights_only=True)
    for each, state in zip((model, optimizer), states):
        each.load_state_dict(state)
    return step
