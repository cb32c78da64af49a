"""Something from an earlier call is reused.

Projections cached by size, in the class or the module, are shared by all layers of that size, along with their numbers
and gradients. Give each layer its own in __init__, on self.
"""

_made_by_size = {}


def add_projections(module, embed_dim):
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        setattr(module, name, _made_by_size.setdefault((name, embed_dim), Linear(embed_dim, embed_dim)))
