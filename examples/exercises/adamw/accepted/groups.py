"""Groups of parameters, as in the library, of which there is one."""

import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        for value in (lr, eps, weight_decay):
            if not value >= 0:
                raise ValueError(f"invalid value: {value}")
        if not 0 <= betas[0] < 1 or not 0 <= betas[1] < 1:
            raise ValueError(f"invalid betas: {betas}")
        self.lr = lr
        self.weight_decay = weight_decay
        self.param_groups = [{"params": list(params), "betas": betas, "eps": eps}]
        self.state = {}

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state.setdefault(p, {})
                if not state:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p.data)
                    state["exp_avg_sq"] = torch.zeros_like(p.data)
                state["step"] += 1
                self._apply(p, p.grad.data, state, group)

    def _apply(self, p, grad, state, group):
        beta1, beta2 = group["betas"]
        state["exp_avg"].mul_(beta1).add_((1 - beta1) * grad)
        state["exp_avg_sq"].mul_(beta2).add_((1 - beta2) * grad * grad)
        c1, c2 = 1 - beta1 ** state["step"], 1 - beta2 ** state["step"]
        denominator = (state["exp_avg_sq"] / c2).sqrt() + group["eps"]
        p.data.mul_(1 - self.lr * self.weight_decay)
        p.data.sub_((self.lr / c1) * state["exp_avg"] / denominator)

    def zero_grad(self):
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None
