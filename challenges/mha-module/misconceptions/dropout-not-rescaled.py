"""What dropout keeps is not enlarged by 1 / (1 - dropout).

Without that, the weights of a row add up to less in training than in eval(), or are shared out anew among those that are
kept. nn.Dropout does both, dropping and enlarging: nothing is to be undone after it.
"""


def drop(weights, layer):
    return weights * (layer.dropout(torch.ones_like(weights)) > 0)
