import numpy as np
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad.detach() for p in parameters if p.grad is not None]
    total = np.sqrt(sum(np.square(g.cpu().numpy().astype(np.float64)).sum() for g in grads))
    if total > max_norm:
        c = float(max_norm / (total + eps))
        for g in grads:
            g[...] = g * c


if __name__ == "__main__":
    a = torch.zeros(2, requires_grad=True)
    a.grad = torch.tensor([3.0, 4.0])
    clip_gradients([a], 1, 0)
    print(a.grad)
