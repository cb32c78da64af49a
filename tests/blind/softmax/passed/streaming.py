"""A right softmax that goes along the axis entry by entry, as streaming attention does, with a running maximum and a running sum."""
import torch


def softmax(x, dim):
    wide = torch.promote_types(x.dtype, torch.float32)
    entries = x.to(wide).unbind(dim)
    with torch.no_grad():
        top = torch.full_like(entries[0], torch.finfo(wide).min)
        for entry in entries:
            top = torch.maximum(top, entry)
    total = torch.zeros_like(top)
    parts = []
    for entry in entries:
        part = torch.exp(entry - top)
        total = total + part
        parts.append(part)
    return torch.stack([part / total for part in parts], dim).to(x.dtype)
