"""All layers of the class share their projections.

Projections that belong to the class, or to the module, are shared by all instances: creating a second layer changes the
first. Give each instance its own in __init__, on self.
"""


class Shared:
    pass


def add_projections(module, embed_dim):
    Shared.q_proj, Shared.k_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
    Shared.v_proj, Shared.out_proj = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        setattr(type(module), name, property(lambda _, name=name: getattr(Shared, name)))
