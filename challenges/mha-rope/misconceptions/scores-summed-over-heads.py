"""The scores are summed over the heads.

Each head has its own score matrix: that is the point of having several heads. An einsum whose output omits the axis of
the heads sums their scores, and all heads then attend alike.
"""


def compare(Q, K):
    scores = Q @ K.mT
    return scores.sum(dim=-3, keepdim=True).expand_as(scores) if scores.dim() > 3 else scores
