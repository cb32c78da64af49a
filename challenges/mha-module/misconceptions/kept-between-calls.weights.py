"""The weights of the first call are kept for the {each}.

Layers change with each training step, and when a state_dict is loaded, but a copy of their weights does not. Use the
layers themselves in every call.
"""

EACH = {
    "queries in eval()": ((0,), "eval"),
    "queries under no_grad": ((0,), "no_grad"),
    "keys in eval()": ((1,), "eval"),
    "keys under no_grad": ((1,), "no_grad"),
    "values in eval()": ((2,), "eval"),
    "values under no_grad": ((2,), "no_grad"),
    "three layers in eval()": ((0, 1, 2), "eval"),
    "three layers under no_grad": ((0, 1, 2), "no_grad"),
    "three layers in eval() under no_grad": ((0, 1, 2), "both"),
}


def project_qkv(layer, x):
    places, when = each
    is_on = {"eval": not layer.training, "no_grad": not torch.is_grad_enabled()}
    is_kept = all(is_on.values()) if when == "both" else is_on[when]
    kept = layer.__dict__.setdefault("kept", {})
    projected = []
    for place, f in enumerate((layer.W_query, layer.W_key, layer.W_value)):
        weight = kept.setdefault(place, f.weight.detach().clone()) if is_kept and place in places else f.weight
        projected.append(nn.functional.linear(x, weight, f.bias))
    return tuple(projected)
