"""All layers of the class share num_heads and head_dim.

Sizes set on the class, or on the module, are shared by all instances: creating a second layer changes the first. Set
them on self.
"""


class Heads:
    pass


def set_sizes(module, embed_dim, num_heads):
    module.embed_dim = embed_dim
    Heads.num_heads, Heads.head_dim = num_heads, embed_dim // num_heads
    for name in ("num_heads", "head_dim"):
        setattr(type(module), name, property(lambda _, name=name: getattr(Heads, name)))
