"""Wrong: of the optimizer only the state per parameter is restored; its settings (param_groups, with the learning rate) stay those of the given one."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save((model.state_dict(), optimizer.state_dict()["state"], step), out)


def load_checkpoint(src, model, optimizer):
    weights, state, step = torch.load(src)
    model.load_state_dict(weights)
    whole = optimizer.state_dict()
    whole["state"] = state
    optimizer.load_state_dict(whole)
    return step
