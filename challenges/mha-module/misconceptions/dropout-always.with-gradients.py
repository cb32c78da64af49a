"""Dropout asks whether gradients are recorded.

After eval() nothing is dropped, with gradients or without, and in training it is dropped under no_grad too. nn.Dropout asks
for self.training, and nothing else.
"""


def drop(weights, layer):
    return nn.functional.dropout(weights, layer.dropout.p, training=torch.is_grad_enabled())
