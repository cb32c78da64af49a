"""How a block is called: the weights of a case, which are arguments of their own, go into one dictionary."""

# `call_with` is here without an import: docs/challenges.md.

NAMES = {
    "attn_norm_weight": "attn_norm.weight",
    "q_proj_weight": "attn.q_proj.weight",
    "k_proj_weight": "attn.k_proj.weight",
    "v_proj_weight": "attn.v_proj.weight",
    "o_proj_weight": "attn.o_proj.weight",
    "ffn_norm_weight": "ffn_norm.weight",
    "w1_weight": "ffn.w1.weight",
    "w2_weight": "ffn.w2.weight",
    "w3_weight": "ffn.w3.weight",
}


def transformer_block(student, *, x, way="by name", keys="as listed", **given):
    """`way` says how the call is written, or that the dictionary is looked at after it instead of the result; `keys`, in
    which order the dictionary has them.
    """
    weights = {NAMES[name]: given.pop(name) for name in NAMES}
    if keys == "reversed":
        weights = dict(reversed(weights.items()))
    if keys == "exchanged":
        weights = _exchanged(weights)
    arguments = {"x": x, "weights": weights, **given}
    if way == "by position":
        return student.transformer_block(*arguments.values())
    if way == "looked at after":
        before = dict(weights)
        call_with(student.transformer_block, arguments)
        return x.new_tensor(sum(weights.get(key) is before[key] for key in before))
    return call_with(student.transformer_block, arguments)


def _exchanged(weights):
    """Where a key was, another one of the same shape, if there is one: so shapes do not tell the order."""
    of_shape = {}
    for key, weight in weights.items():
        of_shape.setdefault(weight.shape, []).append(key)
    keys = [of_shape[weight.shape].pop() for weight in weights.values()]
    return {key: weights[key] for key in keys}
