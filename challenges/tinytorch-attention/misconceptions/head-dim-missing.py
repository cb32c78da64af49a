"""The layer has no attribute head_dim.

Other code reads embed_dim, num_heads and head_dim from the layer. Keep them under these names.
"""


def set_sizes(module, embed_dim, num_heads):
    module.embed_dim, module.num_heads = embed_dim, num_heads
