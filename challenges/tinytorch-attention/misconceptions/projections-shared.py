"""Queries, keys and values share one layer.

One Linear under three names has only one weight: queries, keys and values come out the same, and the optimizer gets it
three times. Create a layer for each.
"""


def add_projections(module, embed_dim):
    module.q_proj = module.k_proj = module.v_proj = Linear(embed_dim, embed_dim)
    module.out_proj = Linear(embed_dim, embed_dim)
