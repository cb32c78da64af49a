"""Wrong: floating-point weights go through float16 to make the file small, so they come back rounded and the run goes on to other weights."""
import torch


def save_checkpoint(model, optimizer, step, out):
    weights = {n: t.half().to(t.dtype) if t.is_floating_point() else t for n, t in model.state_dict().items()}
    torch.save({"model": weights, "optimizer": optimizer.state_dict(), "step": step}, out)


def load_checkpoint(src, model, optimizer):
    saved = torch.load(src)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    return saved["step"]
