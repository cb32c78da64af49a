"""One norm's weight is used in both places.

The second norm uses attn_norm.weight too. Each norm has learned factors of its own.
"""


def add_feed_forward(h, weights, eps):
    return h + feed_forward(rms_norm(h, weights["attn_norm.weight"], eps), weights)
