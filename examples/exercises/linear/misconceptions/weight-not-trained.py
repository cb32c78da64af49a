"""The weight is a parameter that asks for no gradient.

Leave requires_grad as nn.Parameter sets it: no optimiser can train the weight otherwise.
"""


def own(layer, weight):
    layer.weight = nn.Parameter(weight, requires_grad=False)
