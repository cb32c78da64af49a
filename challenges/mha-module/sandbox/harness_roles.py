"""Which parameter is for what: the further part of harness.py that reads names and shapes. Nothing secret."""

import re

ASKED_FOR = "W_query, W_key and W_value"
OUTPUT_WORDS = {"o", "wo", "out", "output", "oproj", "outproj"}
NO_LAYERS = {"mask", "causal", "tril", "triu", "pos", "position"}


def _stand_ins(built, weights):
    """For each of the module's parameters whose role is known, the case's tensor in the parameter's own layout."""
    module = built.module
    groups = _by_role(module, weights["query_weight"].shape[0])
    missing = [role for role in ROLES if not any(role in roles for roles, is_bias in groups if not is_bias)]
    if missing:
        raise LookupError(_not_found(module, missing))
    if "output_weight" in weights:
        groups.update(_output_group(module, groups, weights["output_weight"].shape[0]))
    stand_ins, is_turned = {}, False
    for (roles, is_bias), members in groups.items():
        given = [weights.get(f"{role}_{'bias' if is_bias else 'weight'}") for role in roles]
        if any(tensor is None for tensor in given):
            continue
        for index, (name, parameter) in enumerate(members):
            piece = torch.cat([tensor.chunk(len(members))[index] for tensor in given])
            is_linear = isinstance(module.get_submodule(name.rpartition(".")[0]), nn.Linear)
            if is_linear or is_bias:
                turn = False
            elif roles == ("output",):
                turn = is_turned
            else:
                turn = _has_input_first(built, name, parameter, piece)
                is_turned = is_turned or (turn and parameter.dim() == 2)
            stand_ins[name] = _as_parameter(_laid_out(name, piece, parameter.shape, turn))
    return stand_ins


def _as_parameter(tensor):
    """Is taken for an nn.Parameter, as what it stands for is; a real one would keep no gradient of the case's tensor."""
    tensor._is_param = True  # what torch itself marks parameters of other tensor types with
    return tensor


def _has_input_first(built, name, parameter, piece):
    """Is it kept as (in, out)? Where both are as large, a module with another d_in tells."""
    if parameter.dim() < 2 or parameter.shape[-1] != parameter.shape[-2]:
        return parameter.dim() == 2 and parameter.shape == piece.mT.shape
    wider = _build(built.kind, built.sizes | {"d_in": 2 * built.sizes["d_in"]}, seed=0)
    return dict(wider.named_parameters())[name].shape[-1] == parameter.shape[-1]


def _by_role(module, rows):
    """(roles, is_bias) -> the parameters of these roles, in order: several where each head has its own."""
    groups = {}
    for name, parameter in module.named_parameters():
        roles = _roles(name)
        if roles:
            groups.setdefault((roles, parameter.dim() == 1), []).append((name, parameter))
    return groups or _all_in_one(module, rows)


def _all_in_one(module, rows):
    """One layer (or one for each head) that is three times as wide, under a name such as c_attn or in_proj."""
    layers = {}
    for name, parameter in module.named_parameters():
        layers.setdefault(re.sub(r"\d+", "", name.rpartition(".")[0]), []).append((name, parameter))
    for members in layers.values():
        if sum(parameter.shape[0] for _, parameter in members if parameter.dim() == 2) == len(ROLES) * rows:
            parts = {
                is_bias: [item for item in members if (item[1].dim() == 1) is is_bias] for is_bias in (False, True)
            }
            return {(ROLES, is_bias): part for is_bias, part in parts.items() if part}
    return {}


def _output_group(module, groups, d_out):
    """The layer that is left over: one that is named as an output, or the only one that is as wide as the output."""
    taken = {name for members in groups.values() for name, _ in members}
    rest = [item for item in module.named_parameters() if item[0] not in taken and not _words(item[0]) & NO_LAYERS]
    named = [item for item in rest if _words(item[0]) & OUTPUT_WORDS]
    fitting = [item for item in rest if item[1].dim() == 1 or item[1].shape == (d_out, d_out)]
    found = named or fitting
    weight = [item for item in found if item[1].dim() > 1][-1:]
    owners = [name.rpartition(".")[0] for name, _ in weight]
    bias = [item for item in found if item[1].dim() == 1 and item[0].rpartition(".")[0] in owners][-1:]
    return {(("output",), is_bias): members for is_bias, members in ((False, weight), (True, bias)) if members}


def _roles(name):
    """('query',) of `heads.0.W_query.weight`, all three of `qkv_proj.weight`, none of `out_proj.weight`."""
    for part in reversed(name.split(".")):
        found = [role for word in _split(part) for role in _roles_of_word(word)]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def _roles_of_word(word):
    letters = word.strip("w")
    if sorted(letters) == ["k", "q", "v"]:
        return [role for letter in letters for role in ROLES if role[0] == letter]
    return [role for role in ROLES if word in _SPELLINGS[role]]


def _spellings(role):
    plural = {"query": "queries", "key": "keys", "value": "values"}[role]
    stems = {role, plural, role[:3], role[0], role[0] + "s"}
    ends = ("", "w", "proj", "projection", "linear", "layer", "lin", "weight", "weights")
    return {start + stem + end for start in ("", "w", "b", "to") for stem in stems for end in ends}


_SPELLINGS = {role: _spellings(role) for role in ROLES}


def _words(name):
    return {word for part in name.split(".") for word in _split(part)}


def _split(part):
    """W_query -> w, query; queryProj -> query, proj; WQ -> wq."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", part)
    return re.findall(r"[a-z]+", spaced.lower())


def _laid_out(name, piece, shape, turn):
    """(out, in) as the parameter keeps it. One that is too small gets the corner: its output will tell."""
    if len(shape) == 3 and piece.dim() == 2 and piece.shape[0] % shape[0] == 0:
        piece = piece.unflatten(0, (shape[0], -1))
    if piece.dim() > 1 and (turn or (piece.shape != shape and piece.mT.shape == shape)):
        return piece.mT
    if len(shape) != piece.dim() or any(own > given for own, given in zip(shape, piece.shape, strict=True)):
        raise LookupError(
            f"The parameter `{name}` has shape {tuple(shape)}; for these sizes it should be {tuple(piece.shape)}."
        )
    return piece[tuple(slice(size) for size in shape)]


def _not_found(module, missing):
    names = [name for name, _ in module.named_parameters()]
    found = (
        f"it has {', '.join(names[:8])}" if names else "it has none that nn.Module knows (a plain list hides layers)"
    )
    return (
        f"No layer for the {' or '.join(missing)} was found in your {type(module).__name__}: {found}. "
        f"Name the layers {ASKED_FOR}, so that tests can give them weights."
    )
