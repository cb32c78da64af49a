"""The attribute {each} is missing, or has another name.

Other code reads the sizes from the layer under the names embed_dim, num_heads and head_dim. Keep them on self.
"""

EACH = {"head_dim": "head_dim", "embed_dim": "embed_dim"}


def set_sizes(module, embed_dim, num_heads):
    sizes = {"embed_dim": embed_dim, "num_heads": num_heads, "head_dim": embed_dim // num_heads}
    for name, size in sizes.items():
        setattr(module, name if name != each else "width", size)
