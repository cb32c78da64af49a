"""One maximum is subtracted from all scores.

exp no longer overflows, but a row whose scores lie far below the overall maximum vanishes: every exponential becomes 0,
and 0 / 0 is NaN. Each row needs its own maximum.
"""


def softmax(scores):
    weights = torch.exp(scores - scores.amax())
    return weights / weights.sum(dim=-1, keepdim=True)
