"""A cheat of the eighth corpus: uses the library's get_total_norm and clip_grads_with_norm_."""
import torch.nn.utils as u


def clip_gradients(parameters, max_norm, eps=1e-6):
    ps = [p for p in parameters if p.grad is not None]
    norm = u.get_total_norm([p.grad.double() for p in ps])
    if norm > max_norm:
        u.clip_grads_with_norm_(ps, max_norm, norm + eps - 1e-6)  # it adds 1e-6 itself
