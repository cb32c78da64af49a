import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self._check(lr, betas, eps, weight_decay)
        self.lr = lr
        self.betas = tuple(betas)
        self.eps = eps
        self.weight_decay = weight_decay
        self.params = list(params)
        self.count = [0] * len(self.params)
        with torch.no_grad():
            self.first = [torch.zeros_like(p) for p in self.params]
            self.second = [torch.zeros_like(p) for p in self.params]

    @staticmethod
    def _check(lr, betas, eps, weight_decay):
        problems = [n for n, v in dict(lr=lr, eps=eps, weight_decay=weight_decay).items() if v < 0]
        problems += [f"betas[{i}]" for i, b in enumerate(betas) if b < 0 or b >= 1]
        if problems:
            raise ValueError("out of range: " + ", ".join(problems))

    @torch.no_grad()
    def step(self):
        live = [i for i, p in enumerate(self.params) if p.grad is not None]
        for i in live:
            p, g = self.params[i], self.params[i].grad.detach()
            self.count[i] += 1
            self.first[i].lerp_(g, 1 - self.betas[0])
            self.second[i].lerp_(g * g, 1 - self.betas[1])
            top = self.first[i] / (1 - self.betas[0] ** self.count[i])
            bottom = torch.sqrt(self.second[i] / (1 - self.betas[1] ** self.count[i])) + self.eps
            p -= self.lr * self.weight_decay * p
            p -= self.lr * top / bottom

    def zero_grad(self):
        for p in self.params:
            if p.grad is not None:
                p.grad = None
