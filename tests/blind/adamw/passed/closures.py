import torch


def _updater(p, opt):
    """Everything that one parameter needs, in a closure."""
    m = torch.zeros_like(p, requires_grad=False)
    v = torch.zeros_like(p, requires_grad=False)
    t = 0

    def update():
        nonlocal t, m, v
        g = p.grad
        if g is None:
            return
        t += 1
        a, b = opt.betas
        p.data.copy_(p.data - opt.lr * opt.weight_decay * p.data)
        m = a * m + (1 - a) * g.data
        v = b * v + (1 - b) * torch.pow(g.data, 2)
        p.data.copy_(p.data - opt.lr * (m / (1 - pow(a, t))) / (torch.sqrt(v / (1 - pow(b, t))) + opt.eps))

    return update


class AdamW(object):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if lr < 0 or eps < 0 or weight_decay < 0:
            raise ValueError("lr, eps and weight_decay must be at least 0")
        if not all(0 <= b < 1 for b in betas):
            raise ValueError("each beta must be at least 0 and below 1")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.params = [p for p in params]
        self.updates = [_updater(p, self) for p in self.params]

    def step(self):
        for u in self.updates:
            u()

    def zero_grad(self):
        for p in self.params:
            p.grad = None


if __name__ == "__main__":
    q = torch.tensor([1.0, -2.0], requires_grad=True)
    q.grad = torch.tensor([0.5, 4.0])
    AdamW([q], lr=0.1, weight_decay=0.5).step()
    print(q)
