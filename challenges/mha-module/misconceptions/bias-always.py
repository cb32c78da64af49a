"""Queries, keys and values always have a bias.

nn.Linear has a bias by default. Here qkv_bias decides, and its default is no bias.
"""


def input_layer(d_in, d_out, qkv_bias):
    return nn.Linear(d_in, d_out)
