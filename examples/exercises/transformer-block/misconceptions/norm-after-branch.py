"""The norm comes behind the branch instead of before it.

It is what the branch gives that you normalise, not what it gets: the branch sees x of any size, and its own size is lost.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    return x + rms_norm(self_attention(x, weights, num_heads, theta, positions), weights["attn_norm.weight"], eps)


def add_feed_forward(h, weights, eps):
    return h + rms_norm(feed_forward(h, weights), weights["ffn_norm.weight"], eps)
