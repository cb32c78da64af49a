"""Dropout is active in eval(), too.

F.dropout always drops, unless you pass training=self.training. nn.Dropout knows the mode by itself, as long as it is a
layer of the module and forward does not call `self.train()`.
"""


def drop(weights, layer):
    return nn.functional.dropout(weights, layer.dropout.p)
