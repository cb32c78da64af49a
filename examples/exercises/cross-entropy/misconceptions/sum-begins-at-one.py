"""The sum begins at 1.

exp(0) = 1 is one token more than there is. Begin with zero, or with the first exponential.
"""


def log_sum(shifted):
    return torch.log1p(torch.exp(shifted).sum(dim=-1))
