"""Nothing goes around the feed-forward network.

Its result replaces what the attention has made instead of being added to it.
"""


def add_feed_forward(h, weights, eps):
    return feed_forward(rms_norm(h, weights["ffn_norm.weight"], eps), weights)
