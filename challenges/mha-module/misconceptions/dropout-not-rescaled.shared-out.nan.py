"""The weights that dropout keeps are not scaled up by 1 / (1 - dropout).

The weights of a row are divided by their new sum, so the scaling differs from row to row, and a row with nothing left
becomes NaN. nn.Dropout does both, dropping and scaling up: do not undo it afterwards.
"""


def drop(weights, layer):
    kept = layer.dropout(weights)
    return kept / kept.sum(dim=-1, keepdim=True) if layer.training else kept
