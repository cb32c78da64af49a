"""Queries, keys and values always have a bias.

nn.Linear has a bias unless it is told otherwise. Here qkv_bias decides, and by default there is none.
"""


def input_layer(d_in, d_out, qkv_bias):
    return nn.Linear(d_in, d_out)
