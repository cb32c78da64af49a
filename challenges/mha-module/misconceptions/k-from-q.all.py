"""Queries, keys and values come from one layer.

The three layers have weights of their own. Make three of them, not one under three names, and use each.
"""


def project_qkv(layer, x):
    return layer.W_query(x), layer.W_query(x), layer.W_query(x)
