"""The softmax's gradient looks at one score at a time.

A weight p depends on its own score by p * (1 - p), and on every other score of the row, too, by minus the product of
both weights. Leave the gradient to Softmax.
"""


def weigh(scores):
    weights = Tensor(Softmax()(scores, dim=-1).data)
    weights.sources = ((scores, lambda g: g * weights.data * (1.0 - weights.data)),) if scores.requires_grad else ()
    weights.requires_grad = scores.requires_grad
    return weights
