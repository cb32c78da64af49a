"""One maximum is subtracted for {each}.

exp no longer overflows, but a row whose scores lie far below that maximum vanishes: every exponential becomes 0, and
the result is 0 / 0, or no weight at all. Each row needs its own maximum.
"""

EACH = {
    "each head, with 1e-6 in the sum": (-2, 1e-06),
    "each head, with 1e-8 in the sum": (-2, 1e-08),
    "each head, with 1e-12 in the sum": (-2, 1e-12),
    "each sequence, with 1e-6 in the sum": (1, 1e-06),
    "each sequence, with 1e-8 in the sum": (1, 1e-08),
    "each sequence, with 1e-12 in the sum": (1, 1e-12),
    "all scores, with 1e-6 in the sum": (0, 1e-06),
    "all scores, with 1e-8 in the sum": (0, 1e-08),
    "all scores, with 1e-12 in the sum": (0, 1e-12),
    "each head": (-2, 0.0),
    "each sequence": (1, 0.0),
}


def softmax(scores):
    first, epsilon = each
    axes = tuple(range(first % scores.dim(), scores.dim()))
    weights = torch.exp(scores - scores.detach().amax(dim=axes, keepdim=True))
    return weights / (weights.sum(dim=-1, keepdim=True) + epsilon)
