"""A query does not see itself.

Where there are as many queries as keys, the diagonal of the scores is hidden. Nothing requires that: a token attends to
itself as it does to all others, and only the mask says what is hidden.
"""


def compare(Q, K):
    scores = Q @ K.mT
    queries, keys = scores.shape[-2:]
    return scores.masked_fill(torch.eye(queries, dtype=torch.bool), -1e9) if queries == keys else scores
