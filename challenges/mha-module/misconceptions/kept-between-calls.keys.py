"""Keys and values of earlier calls are kept and attended to again {each}.

Such a cache is for generating one text, token by token. Here each call passes whole sequences, which are unrelated to
those of the previous call.
"""

EACH = {"in eval()": "eval", "under no_grad": "no_grad", "in eval() under no_grad": "both"}


def attend(layer, queries, keys, values):
    is_on = {"eval": not layer.training, "no_grad": not torch.is_grad_enabled()}
    mask = own_mask(layer, queries.shape[-2])
    if all(is_on.values()) if each == "both" else is_on[each]:
        past = layer.__dict__.get("past")
        if past is not None and past[0].shape[:-2] == keys.shape[:-2]:
            keys, values = (torch.cat(pair, dim=-2) for pair in zip(past, (keys, values), strict=True))
            mask = torch.cat((mask.new_zeros(len(mask), past[0].shape[-2]), mask), dim=1)
        layer.__dict__["past"] = keys.detach(), values.detach()
    return drop(softmax(hide(scale(compare_tokens(queries, keys), layer), mask)), layer) @ values
