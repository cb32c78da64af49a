def clip_gradients(ps, c, eps=1e-6):
    gs = [p.grad for p in ps if p.grad is not None]
    n = sum(float(g.double().pow(2).sum()) for g in gs) ** .5
    [g.mul_(c / (n + eps)) for g in gs if n > c]
