"""The result is a tensor in float32, not a Python number."""
import math
import torch


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step < cosine_steps:
        progress = torch.tensor((step - warmup_steps) / (cosine_steps - warmup_steps))
        return min_lr + 0.5 * (1 + torch.cos(math.pi * progress)) * (max_lr - min_lr)
    return min_lr
