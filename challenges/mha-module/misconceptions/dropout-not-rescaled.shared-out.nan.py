"""What dropout keeps is not enlarged by 1 / (1 - dropout).

The weights of a row are divided by their new sum, so each is enlarged by another factor, and a row of which nothing is left
becomes NaN. nn.Dropout does both, dropping and enlarging: nothing is to be undone after it.
"""


def drop(weights, layer):
    kept = layer.dropout(weights)
    return kept / kept.sum(dim=-1, keepdim=True) if layer.training else kept
