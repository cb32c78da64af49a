"""Only the settings of the optimizer are saved, not its averages and counts."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()["param_groups"], "step": step}, out)


def load_checkpoint(src, model, optimizer):
    checkpoint = torch.load(src)
    model.load_state_dict(checkpoint["model"])
    for group, saved in zip(optimizer.param_groups, checkpoint["optimizer"]):
        group.update({k: v for k, v in saved.items() if k != "params"})
    return checkpoint["step"]
