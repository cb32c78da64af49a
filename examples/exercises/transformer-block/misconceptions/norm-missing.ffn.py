"""The norm before the feed-forward network is missing.

The network gets the sum as it is. The second norm's weight has no influence at all.
"""


def add_feed_forward(h, weights, eps):
    return h + feed_forward(h, weights)
