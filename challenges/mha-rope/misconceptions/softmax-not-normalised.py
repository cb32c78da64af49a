"""The exponentials are not divided by their sum.

exp makes the scores positive; only the division by their sum over the keys makes weights of them.
"""


def softmax(scores):
    return torch.exp(scores - scores.amax(dim=-1, keepdim=True))
