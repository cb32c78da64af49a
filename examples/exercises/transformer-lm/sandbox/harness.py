"""How a model is called: the weights of a case go into one dictionary, those of all layers from one tensor for each kind."""

# `call_with` is here without an import: docs/challenges.md.

OF_A_LAYER = {
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


def named(given, num_layers):
    """As a state dict has them. Of a kind, the weight of a layer is an entry along the first axis."""
    weights = {"token_embeddings.weight": given.pop("token_embeddings_weight")}
    stacked = {key: given.pop(name) for name, key in OF_A_LAYER.items()}
    for layer in range(num_layers):
        weights |= {f"layers.{layer}.{key}": of_all[layer] for key, of_all in stacked.items()}
    weights["final_norm.weight"] = given.pop("final_norm_weight")
    weights["lm_head.weight"] = given.pop("lm_head_weight")
    return weights


def transformer_lm(student, *, token_ids, num_layers, way="by name", keys="as listed", **given):
    """`way` says how the call is written, or that the dictionary is looked at after it instead of the result; `keys`, in
    which order the dictionary has them.
    """
    weights = named(given, num_layers)
    if keys == "reversed":
        weights = dict(reversed(weights.items()))
    arguments = {"token_ids": token_ids, "weights": weights, "num_layers": num_layers, **given}
    if way == "by position":
        return student.transformer_lm(*arguments.values())
    if way == "looked at after":
        before = dict(weights)
        call_with(student.transformer_lm, arguments)
        return before["lm_head.weight"].new_tensor(sum(weights.get(key) is before[key] for key in before))
    return call_with(student.transformer_lm, arguments)
