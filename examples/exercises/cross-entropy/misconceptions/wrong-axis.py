"""The softmax runs over the {each} axis, not over the tokens.

The vocabulary is the last axis, however many axes come before it.
"""

EACH = {"first": 0, "second": 1}


def largest(logits):
    return logits.amax(dim=min(each, logits.dim() - 1), keepdim=True)


def log_sum(shifted):
    summed = torch.log(torch.exp(shifted).sum(dim=min(each, shifted.dim() - 1), keepdim=True))
    return summed.expand(shifted.shape)


def losses(shifted, targets):
    return -chosen(shifted - log_sum(shifted), targets)
