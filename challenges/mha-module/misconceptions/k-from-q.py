"""The keys are the queries.

Queries are compared with queries, and W_key has no effect, so a token tends to match itself best.
"""


def project_qkv(layer, x):
    return layer.W_query(x), layer.W_query(x), layer.W_value(x)
