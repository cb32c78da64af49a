"""The logarithm is taken of the mean of the exponentials.

A probability is divided by the sum. With the mean, the loss is too small by the logarithm of vocab_size.
"""


def log_sum(shifted):
    return torch.log(torch.exp(shifted).mean(dim=-1))
