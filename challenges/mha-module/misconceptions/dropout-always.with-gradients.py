"""Dropout depends on whether gradients are recorded.

After eval() nothing is dropped, with or without gradients, and in training weights are dropped under no_grad too.
nn.Dropout depends only on self.training.
"""


def drop(weights, layer):
    return nn.functional.dropout(weights, layer.dropout.p, training=torch.is_grad_enabled())
