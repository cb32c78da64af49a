"""The rate is updated from that of the last call, so steps must come in order."""
import math

_last = {"step": -1, "lr": 0.0}


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step == 0:
        _last["lr"] = 0.0 if warmup_steps else (max_lr if cosine_steps else min_lr)
    elif step <= warmup_steps and step < cosine_steps:
        _last["lr"] += max_lr / warmup_steps
    elif step < cosine_steps:
        progress = (step - warmup_steps) / (cosine_steps - warmup_steps)
        _last["lr"] = min_lr + 0.5 * (1 + math.cos(math.pi * progress)) * (max_lr - min_lr)
    else:
        _last["lr"] = min_lr
    return _last["lr"]
