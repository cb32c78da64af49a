"""What dropout keeps is not enlarged by 1 / (1 - dropout).

The weights of a row are shared out anew among those that are kept, so each is enlarged by another factor. nn.Dropout
does both, dropping and enlarging: nothing is to be undone after it.
"""


def drop(weights, layer):
    kept = layer.dropout(weights)
    return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-9) if layer.training else kept
