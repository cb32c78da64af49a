"""The parameters are read once for the averages, and again in each step.

A generator can be read once: after the loop that makes the averages there is nothing left. Keep a list first.
"""


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        checked(lr, betas, eps, weight_decay)
        self.params = params
        self.states = {place: begun(parameter) for place, parameter in enumerate(self.params)}
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay

    def step(self):
        step(self)

    def zero_grad(self):
        for parameter in self.params:
            forget(parameter)
