"""The weights that dropout keeps are not scaled up by 1 / (1 - dropout).

The remaining weights of a row are normalised again, so the scaling differs from row to row. nn.Dropout does both,
dropping and scaling up: do not undo it afterwards.
"""


def drop(weights, layer):
    kept = layer.dropout(weights)
    return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-9) if layer.training else kept
