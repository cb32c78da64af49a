"""The exponentials are not divided by their sum.

exp makes the scores positive, but only dividing by their sum over the keys turns them into weights.
"""


def softmax(scores):
    return torch.exp(scores - scores.amax(dim=-1, keepdim=True))
