import torch


class AdamW:
    # the powers of the betas are kept as running products
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, *, verbose=False):
        if not lr >= 0.0: raise ValueError("lr")
        if not eps >= 0.0: raise ValueError("eps")
        if not weight_decay >= 0.0: raise ValueError("weight_decay")
        if not (0.0 <= betas[0] < 1.0 and 0.0 <= betas[1] < 1.0): raise ValueError("betas")
        self.params = tuple(params)
        self.lr = lr; self.b1, self.b2 = betas; self.eps = eps; self.weight_decay = weight_decay
        self.verbose = verbose
        self.mem = {}

    def step(self):
        for p in self.params:
            if p.grad is None: continue
            with torch.no_grad():
                m, v, q1, q2 = self.mem.get(id(p), (0, 0, 1.0, 1.0))
                g = p.grad
                q1 *= self.b1; q2 *= self.b2
                m = self.b1 * m + (1 - self.b1) * g
                v = self.b2 * v + (1 - self.b2) * g ** 2
                self.mem[id(p)] = (m, v, q1, q2)
                new = p - self.lr * self.weight_decay * p
                new = new - self.lr * (m / (1 - q1)) / (torch.sqrt(v / (1 - q2)) + self.eps)
                p.copy_(new)
            if self.verbose: print("stepped", tuple(p.shape))

    def zero_grad(self):
        for p in self.params: p.grad = None
