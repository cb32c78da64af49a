"""Wrong: the square is taken of the gradient in place, so p.grad holds squares after the step (in Slot.update)."""
import torch


class Slot:
    def __init__(self, p, betas):
        self.p = p
        self.b1, self.b2 = betas
        self.first = p.data.new_zeros(p.shape)
        self.second = p.data.new_zeros(p.shape)
        self.steps = 0

    @property
    def direction(self):
        return self.first / (1 - pow(self.b1, self.steps))

    @property
    def size(self):
        return (self.second / (1 - pow(self.b2, self.steps))) ** 0.5

    def update(self, lr, decay, eps):
        g = self.p.grad
        if g is None:
            return
        g = g.data
        self.steps += 1
        self.p.data.add_(self.p.data, alpha=-lr * decay)
        self.first = torch.lerp(g, self.first, self.b1)
        self.second = self.b2 * self.second + (1 - self.b2) * g.mul_(g)
        self.p.data.add_(self.direction / (self.size + eps), alpha=-lr)


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if lr < 0:
            raise ValueError(f"lr is negative: {lr}")
        if eps < 0:
            raise ValueError(f"eps is negative: {eps}")
        if weight_decay < 0:
            raise ValueError(f"weight_decay is negative: {weight_decay}")
        if any(beta < 0 for beta in betas) or any(beta >= 1 for beta in betas):
            raise ValueError(f"betas are not in [0, 1): {betas}")
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.slots = [Slot(p, betas) for p in params]

    def step(self):
        for slot in self.slots:
            slot.update(self.lr, self.weight_decay, self.eps)

    def zero_grad(self):
        for slot in self.slots:
            slot.p.grad = None
