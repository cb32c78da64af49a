"""The weights that dropout keeps are not scaled up by 1 / (1 - dropout).

Without that, the weights of a row add up to less in training than in eval(). nn.Dropout does both, dropping and scaling
up: do not undo it afterwards.
"""


def drop(weights, layer):
    return weights * (layer.dropout(torch.ones_like(weights)) > 0)
