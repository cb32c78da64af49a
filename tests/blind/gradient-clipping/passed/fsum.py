import math

EPS = 1e-6


def squares(grads):
    for g in grads:
        yield float(g.detach().double().square().sum())


def clip_gradients(parameters, max_norm, eps=EPS):
    grads = []
    for p in parameters:
        if p.grad is None:
            continue
        grads.append(p.grad)
    length = math.sqrt(math.fsum(squares(grads)))
    too_long = length > max_norm
    print(f"norm {length:.4f}, clipped: {too_long}")
    for g in grads if too_long else ():
        g.data.mul_(max_norm).div_(length + eps)
