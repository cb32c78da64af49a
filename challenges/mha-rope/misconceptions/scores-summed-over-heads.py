"""The scores are summed over the heads.

Each head keeps a score matrix of its own: that is what several heads are for. An einsum whose output forgets the
heads' axis adds their scores up, and every head then attends alike.
"""


def compare(Q, K):
    scores = Q @ K.mT
    return scores.sum(dim=-3, keepdim=True).expand_as(scores) if scores.dim() > 3 else scores
