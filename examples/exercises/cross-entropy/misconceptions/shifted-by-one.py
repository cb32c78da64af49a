"""Each position is compared with the target of the next one.

Logits and targets belong together as they are given: whoever made the batch has moved the targets by one already.
Moving them once more trains the model to skip a token.
"""


def losses(shifted, targets):
    if targets.dim() == 0 or targets.shape[-1] == 1:
        return log_sum(shifted) - chosen(shifted, targets)
    return log_sum(shifted[..., :-1, :]) - chosen(shifted[..., :-1, :], targets[..., 1:])
