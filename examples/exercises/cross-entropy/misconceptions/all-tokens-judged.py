"""The other tokens' probabilities are in the loss, too.

Minus the logarithm of 1 - p for each wrong token belongs to classes that do not exclude each other. Here only the
target's probability counts.
"""


def losses(shifted, targets):
    p = torch.exp(shifted - log_sum(shifted).unsqueeze(-1))
    others = torch.log1p(-p.clamp(max=1 - 1e-6)).sum(-1)
    return log_sum(shifted) - chosen(shifted, targets) - others + torch.log1p(-chosen(p, targets).clamp(max=1 - 1e-6))
