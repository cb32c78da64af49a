"""The result is float32, whatever comes in.

A float64 x wants a float64 result. Follow its dtype instead of naming one.
"""


def add_feed_forward(h, weights, eps):
    return (h + feed_forward(rms_norm(h, weights["ffn_norm.weight"], eps), weights)).float()
