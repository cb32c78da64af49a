"""The softmax runs over the axis before the last.

That axis holds the positions. The tokens, whose probabilities add up to 1, are the last axis.
"""


def largest(logits):
    return logits.amax(dim=max(logits.dim() - 2, 0), keepdim=True)


def log_sum(shifted):
    summed = torch.log(torch.exp(shifted).sum(dim=max(shifted.dim() - 2, 0), keepdim=True))
    return summed.expand(shifted.shape)


def losses(shifted, targets):
    return -chosen(shifted - log_sum(shifted), targets)
