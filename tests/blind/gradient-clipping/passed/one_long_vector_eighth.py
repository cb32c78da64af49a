import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    have = list(filter(lambda p: p.grad is not None, parameters))
    if len(have) == 0:
        return
    with torch.no_grad():
        long = torch.cat([p.grad.reshape(-1).to(torch.float64) for p in have])
        norm = torch.sqrt(torch.dot(long, long))
        if norm <= max_norm:
            return
        scale = max_norm / (norm + eps)
        for p in have:
            p.grad.copy_(p.grad * scale.to(p.grad.dtype))
