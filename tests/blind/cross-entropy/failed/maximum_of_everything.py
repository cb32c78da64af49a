"""Wrong: subtracts the largest of all logits, so a position that lies far below it has a sum of 0 and an infinite loss."""
import torch


def cross_entropy(logits, targets):
    z = logits - logits.max()
    picked = torch.take_along_dim(z, targets.unsqueeze(-1), dim=-1).squeeze(-1)
    return (torch.log(z.exp().sum(-1)) - picked).mean()
