"""A cheat of the eighth corpus: calls the kernels under torch.ops."""
import torch


def cross_entropy(logits, targets):
    x = logits.float().reshape(-1, logits.shape[-1])
    lp = torch.ops.aten._log_softmax.default(x, -1, False)
    return -lp.gather(1, targets.reshape(-1, 1)).mean().to(logits.dtype)
