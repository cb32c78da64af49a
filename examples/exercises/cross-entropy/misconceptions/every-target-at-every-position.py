"""Every target is looked up at every position.

logits[:, targets] takes all the targets' columns of each row. Each position has one target: gather, or an index for
the rows beside that for the columns, takes it.
"""


def losses(shifted, targets):
    return log_sum(shifted).unsqueeze(-1) - shifted[..., targets.flatten()].reshape(*targets.shape, -1)
