"""Wrong: after loading, requires_grad is set for all weights, so frozen ones are thawed (in load_checkpoint)."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save([model.state_dict(), optimizer.state_dict(), step], out)


def load_checkpoint(src, model, optimizer):
    weights, state, step = torch.load(src)
    model.load_state_dict(weights)
    model.requires_grad_(True)
    optimizer.load_state_dict(state)
    return step
