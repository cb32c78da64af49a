import math

import numpy as np


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    warm = float(np.clip(step / max(warmup_steps, 1), 0, 1)) if step < warmup_steps else 1.0
    length = cosine_steps - warmup_steps
    done = min(max(step - warmup_steps, 0), length) / length if length else float(step >= warmup_steps)
    if warm < 1.0:
        return warm * max_lr
    return min_lr if done >= 1.0 else min_lr + (max_lr - min_lr) * (math.cos(done * math.pi) + 1) / 2


if __name__ == "__main__":
    print([round(learning_rate(s, 1.0, 0.2, 2, 6), 3) for s in range(8)])
