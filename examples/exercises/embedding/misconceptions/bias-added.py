"""There is a bias.

The layer has no bias: its only parameter is the weight. A bias that begins at zero changes no output, but it is
trained, and checkpoints do not fit.
"""


def own(layer, weight):
    layer.weight = nn.Parameter(weight)
    layer.bias = nn.Parameter(weight.new_zeros(weight.shape[0]))
