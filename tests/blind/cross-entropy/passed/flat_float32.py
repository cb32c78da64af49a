"""Cross-entropy of a language model, averaged over every position."""
from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor


def cross_entropy(logits: Float[Tensor, "... vocab"], targets: Int[Tensor, "..."]) -> Float[Tensor, ""]:
    vocab = logits.shape[-1]
    x = logits.reshape(-1, vocab)
    t = targets.reshape(-1)
    work = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x

    top = work.amax(dim=-1, keepdim=True).detach()
    work = work - top
    rows = torch.arange(work.shape[0], device=work.device)
    losses = work.exp().sum(-1).log()
    losses = losses - work[rows, t]
    return losses.mean().to(logits.dtype)
