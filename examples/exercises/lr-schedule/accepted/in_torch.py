"""In float32 tensors, and back to a number."""

import torch


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    now, low, high = (torch.tensor(float(each), dtype=torch.float32) for each in (step, min_lr, max_lr))
    if step < warmup_steps:
        return (now / warmup_steps * high).item()
    if step >= cosine_steps:
        return low.item()
    angle = torch.pi * (now - warmup_steps) / (cosine_steps - warmup_steps)
    return (low + 0.5 * (1 + torch.cos(angle)) * (high - low)).item()
