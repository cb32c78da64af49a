"""The normed sum is added back instead of the sum.

What goes around the feed-forward network is what came into it before its norm.
"""


def add_feed_forward(h, weights, eps):
    z = rms_norm(h, weights["ffn_norm.weight"], eps)
    return z + feed_forward(z, weights)
