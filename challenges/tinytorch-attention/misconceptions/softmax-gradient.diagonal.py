"""The gradient of the softmax treats each score separately.

The derivative of a weight p is p * (1 - p) for its own score, and minus the product of both weights for every other
score in the row. Leave the gradient to Softmax.
"""


def weigh(scores):
    weights = Tensor(Softmax()(scores, dim=-1).data)
    weights.sources = ((scores, lambda g: g * weights.data * (1.0 - weights.data)),) if scores.requires_grad else ()
    weights.requires_grad = scores.requires_grad
    return weights
