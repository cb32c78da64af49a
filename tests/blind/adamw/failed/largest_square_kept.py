"""Wrong: divides by the root of the largest average of squares so far, as AMSGrad does, instead of the present one."""
import torch


def trainer(optimizer, p):
    m = torch.zeros_like(p)
    v = torch.zeros_like(p)
    left1 = left2 = 1.0
    top = torch.zeros_like(p)
    while True:
        g = yield
        β1, β2 = optimizer.betas
        left1 *= β1
        left2 *= β2
        m = β1 * m + (1 - β1) * g
        v = β2 * v + (1 - β2) * g.square()
        top = torch.maximum(top, v)
        old = p.detach()
        decayed = old - optimizer.lr * optimizer.weight_decay * old
        move = optimizer.lr * (m / (1 - left1)) / ((top / (1 - left2)).sqrt() + optimizer.eps)
        old.copy_(decayed - move)


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        wrong = [x for x in (lr, eps, weight_decay) if x < 0] + [b for b in betas if b < 0 or b >= 1]
        if wrong:
            raise ValueError(f"not allowed: {wrong}")
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.betas = tuple(betas)
        self.params = list(params)
        self.trainers = [trainer(self, p) for p in self.params]
        for t in self.trainers:
            next(t)

    def step(self):
        for p, t in zip(self.params, self.trainers):
            if p.grad is not None:
                t.send(p.grad.detach())

    def zero_grad(self):
        for p in self.params:
            p.grad = None
