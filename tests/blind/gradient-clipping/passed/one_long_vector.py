"""A right clipping that does make one long vector, as the text says, and copies the pieces of the scaled vector back."""
import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    grads = [p.grad.detach() for p in parameters if p.grad is not None]
    flat = torch.cat([torch.empty(0, dtype=torch.float64)] + [g.reshape(-1).to(torch.float64) for g in grads])
    norm = (flat @ flat).sqrt()
    if not norm > max_norm:
        return None
    pieces = (flat * max_norm / (norm + eps)).split([g.numel() for g in grads])
    for g, piece in zip(grads, pieces):
        g.copy_(piece.reshape(g.shape))
