"""A right checkpoint: after a comparison of names and shapes, weights and buffers are copied into the model's own tensors, without load_state_dict of the model."""
import torch


def save_checkpoint(model, optimizer, step, out):
    weights = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
    torch.save([weights, optimizer.state_dict(), torch.tensor(step)], out)


@torch.no_grad()
def load_checkpoint(src, model, optimizer):
    weights, settings, step = torch.load(src)
    own = model.state_dict(keep_vars=True)
    if {n: t.shape for n, t in own.items()} != {n: t.shape for n, t in weights.items()}:
        raise ValueError("the checkpoint is of another model: names or shapes of weights differ")
    for name, tensor in own.items():
        tensor.copy_(weights[name])
    optimizer.load_state_dict(settings)
    return int(step)
