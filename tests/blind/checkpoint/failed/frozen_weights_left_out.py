"""Wrong: weights with requires_grad=False are not saved, so frozen weights keep the values of the given model."""
import torch


def save_checkpoint(model, optimizer, step, out):
    frozen = {name for name, p in model.named_parameters() if not p.requires_grad}
    kept = {name: t for name, t in model.state_dict().items() if name not in frozen}
    torch.save({"kept": kept, "frozen": sorted(frozen), "opt": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    missing, unexpected = model.load_state_dict(saved["kept"], strict=False)
    if unexpected or set(missing) - set(saved["frozen"]):
        raise RuntimeError("another model")
    optimizer.load_state_dict(saved["opt"])
    return saved["step"]
