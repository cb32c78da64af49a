"""Dropout depends on whether gradients are recorded.

After eval() dropout must be off, with or without gradients; in training it must be on, even under no_grad. nn.Dropout
depends only on self.training.
"""


def drop(weights, layer):
    return nn.functional.dropout(weights, layer.dropout.p, training=torch.is_grad_enabled())
