import math


def learning_rate(step: int, max_lr: float, min_lr: float, warmup_steps: int, cosine_steps: int) -> float:
    match (step < warmup_steps, step < cosine_steps):
        case (True, _):
            return max_lr * (step / warmup_steps)
        case (False, True):
            angle = math.pi * ((step - warmup_steps) / (cosine_steps - warmup_steps))
            return max_lr - (max_lr - min_lr) * math.sin(angle / 2) ** 2
        case _:
            return min_lr
