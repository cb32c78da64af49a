"""A setting has another default.

The defaults are lr = 1e-3, betas = (0.9, 0.999), eps = 1e-8 and weight_decay = 0.01. Adam has no decay by default; AdamW does.
"""


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        checked(lr, betas, eps, weight_decay)
        self.params = kept(params)
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.states = {}

    def step(self):
        step(self)

    def zero_grad(self):
        for parameter in self.params:
            forget(parameter)
