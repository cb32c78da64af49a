"""The gradient is the probabilities alone.

It is the probabilities less 1 at the target. In a backward pass of your own, subtract that 1.
"""


def chosen(shifted, targets):
    of_target = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return of_target.detach() + 0 * shifted.amax(-1)


def shift(logits):
    return logits - largest(logits).detach()
