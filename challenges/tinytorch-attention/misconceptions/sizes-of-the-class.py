"""All layers of the class share their sizes.

Sizes set on the class, or on the module, are shared by all instances: creating a second layer changes the first. Set
them on self.
"""


class Sizes:
    pass


def set_sizes(module, embed_dim, num_heads):
    Sizes.embed_dim, Sizes.num_heads, Sizes.head_dim = embed_dim, num_heads, embed_dim // num_heads
    for name in ("embed_dim", "num_heads", "head_dim"):
        setattr(type(module), name, property(lambda _, name=name: getattr(Sizes, name)))
