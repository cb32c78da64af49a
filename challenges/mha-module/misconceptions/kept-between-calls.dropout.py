"""The dropout mask is drawn once and reused in later calls.

In training every call must drop different weights: call the dropout layer in forward, on the weights themselves.
"""


def drop(weights, layer):
    kept = layer.__dict__.setdefault("kept", {})
    if not layer.training:
        return weights
    if weights.shape not in kept:
        kept[weights.shape] = layer.dropout(torch.ones_like(weights).detach())
    return weights * kept[weights.shape]
