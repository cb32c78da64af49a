"""{each} are the same layer.

One Linear under two names has only one weight: what one of them learns changes the other, and the optimizer gets it
twice. Create a layer for each.
"""

EACH = {
    "q_proj and k_proj": ("q_proj", "k_proj"),
    "q_proj and v_proj": ("q_proj", "v_proj"),
    "k_proj and v_proj": ("k_proj", "v_proj"),
}


def add_projections(module, embed_dim):
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        setattr(module, name, Linear(embed_dim, embed_dim))
    first, second = each
    setattr(module, second, getattr(module, first))
