import cmath


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps, *, start_lr=0.0):
    assert step >= 0 and 0 <= warmup_steps <= cosine_steps
    if step < warmup_steps:
        return start_lr + (max_lr - start_lr) * step / warmup_steps
    if step < cosine_steps:
        turn = cmath.exp(1j * cmath.pi * (step - warmup_steps) / (cosine_steps - warmup_steps))
        return min_lr + (max_lr - min_lr) * (1 + turn.real) / 2
    return min_lr
