"""The scaled gradients are given to a name, and the model keeps the old ones.

`grad = grad * factor` makes a new tensor that nobody else sees, and the parameter keeps its gradient. Change the tensor that is there.
"""


def scale(gradients, by):
    for gradient in gradients:
        gradient = gradient * by
