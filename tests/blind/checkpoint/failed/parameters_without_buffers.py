"""Wrong: only named_parameters() are saved, so buffers such as the running averages of a batch norm are not restored."""
import torch


def save_checkpoint(model, optimizer, step, out):
    weights = {name: p.detach() for name, p in model.named_parameters()}
    torch.save({"weights": weights, "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    own = dict(model.named_parameters())
    if own.keys() != saved["weights"].keys() or any(own[n].shape != saved["weights"][n].shape for n in own):
        raise ValueError("another model")
    with torch.no_grad():
        for name, p in own.items():
            p.copy_(saved["weights"][name])
    optimizer.load_state_dict(saved["optimizer"])
    return saved["step"]
