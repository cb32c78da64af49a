"""Only parameters are saved, so buffers such as running averages are lost."""
import torch


def save_checkpoint(model, optimizer, step, out):
    obj = dict(step=step, opt=optimizer.state_dict())
    obj["names"] = list(dict(model.named_parameters()))
    obj["tensors"] = [p.detach() for p in model.parameters()]
    torch.save(obj, out)


def load_checkpoint(src, model, optimizer):
    obj = torch.load(src, weights_only=False)
    mine = {k: p.detach() for k, p in model.named_parameters()}
    if set(mine) != set(obj["names"]):
        raise ValueError(f"other weights: {sorted(set(mine) ^ set(obj['names']))}")
    saved = dict(zip(obj["names"], obj["tensors"]))
    for name, t in mine.items():
        if t.shape != saved[name].shape:
            raise ValueError(f"{name} has shape {tuple(t.shape)} here and {tuple(saved[name].shape)} in the file")
    with torch.no_grad():
        for name, t in mine.items():
            t.copy_(saved[name])
    optimizer.load_state_dict(obj["opt"])
    return obj["step"]
