"""qkv_bias has no effect.

The three projections have no bias, even with qkv_bias=True. Pass the argument to each of the three layers.
"""


def input_layer(d_in, d_out, qkv_bias):
    return nn.Linear(d_in, d_out, bias=False)
