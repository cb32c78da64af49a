"""The cosine is computed in half precision."""
import torch


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    it = torch.tensor(step, dtype=torch.float16)
    if step < warmup_steps:
        return float(it / warmup_steps * max_lr)
    if step >= cosine_steps:
        return float(min_lr)
    frac = (it - warmup_steps) / (cosine_steps - warmup_steps)
    return (min_lr + 0.5 * (1.0 + torch.cos(torch.pi * frac)) * (max_lr - min_lr)).item()
