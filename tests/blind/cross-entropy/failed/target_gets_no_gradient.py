"""Wrong: the target's logit goes through .tolist(), so its part of the gradient (minus one at the target) is missing; values are right."""
import torch


def cross_entropy(logits, targets):
    rows = logits.reshape(-1, logits.shape[-1])
    top = rows.detach().amax(-1)
    totals = (rows - top.unsqueeze(-1)).exp().sum(-1).log()
    picked = [row[t] for row, t in zip(rows.tolist(), targets.reshape(-1).tolist())]
    return (totals + (top.double() - torch.tensor(picked, dtype=torch.float64)).to(rows.dtype)).mean()
