"""Each weight is replaced by a new nn.Parameter, so the optimizer trains tensors that the model does not use any more."""
import torch


def save_checkpoint(model, optimizer, step, out):
    obj = dict(step=step, opt=optimizer.state_dict())
    obj["names"] = list(model.state_dict())
    obj["tensors"] = list(model.state_dict().values())
    torch.save(obj, out)


def load_checkpoint(src, model, optimizer):
    obj = torch.load(src, weights_only=False)
    mine = model.state_dict()
    if set(mine) != set(obj["names"]):
        raise ValueError(f"other weights: {sorted(set(mine) ^ set(obj['names']))}")
    saved = dict(zip(obj["names"], obj["tensors"]))
    for name, t in mine.items():
        if t.shape != saved[name].shape:
            raise ValueError(f"{name} has shape {tuple(t.shape)} here and {tuple(saved[name].shape)} in the file")
    with torch.no_grad():
        for name, t in mine.items():
            *path, last = name.split('.')
            owner = model.get_submodule('.'.join(path))
            if last in owner._parameters:
                setattr(owner, last, torch.nn.Parameter(saved[name], owner._parameters[last].requires_grad))
            else:
                t.copy_(saved[name])
    optimizer.load_state_dict(obj["opt"])
    return obj["step"]
