"""head_dim is the whole width.

The heads share the features: head_dim is embed_dim // num_heads. Other code that reads the attribute gets the wrong
size.
"""


def set_sizes(module, embed_dim, num_heads):
    module.embed_dim, module.num_heads, module.head_dim = embed_dim, num_heads, embed_dim
