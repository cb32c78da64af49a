"""How the classes of this exercise are called: build the module, give it the weights of the case, run it.

Weights are given by what they are for, not by what they are called: a layer may be named W_query, q_proj or to_q, may
be an nn.Linear or an nn.Parameter, one for each head, or one for queries, keys and values together. Nothing secret.
"""

import re
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.func import functional_call

# `call_with` is here without an import: docs/challenges.md.

ROLES = ("query", "key", "value")
ASKED_FOR = "W_query, W_key and W_value"
OUTPUT_WORDS = {"o", "wo", "out", "output", "oproj", "outproj"}
NO_LAYERS = {"mask", "causal", "tril", "triu", "pos", "position"}
# How far a feature may be from dropped or doubled: rounding only.
CLOSE = 1e-3
# Factors are told to the quarter.
QUARTER = 0.25
# A share of features that chance does not bring close to zero.
SOME = 0.05
# How far the share of more than a thousand weights may be from dropout: nine standard deviations and more.
ABOUT = 0.125
# What two sums of the same terms in another order may differ by, of the terms' size.
ALIKE = 1e-3


# --- The classes, put to the case -----------------------------------------------------------------------------------


def MultiHeadAttention(student, **given):  # noqa: N802  named as the entry point
    """`measure` says what comes back: the output, or something else about the module (see MEASURES); `before`, which
    calls the module has behind it by then (see BEFORE); `mode`, the grad mode of all of them (see MODES).
    """
    return _put(student.MultiHeadAttention, **given)


def CausalAttention(student, **given):  # noqa: N802
    """As above."""
    return _put(student.CausalAttention, **given)


def MultiHeadAttentionWrapper(student, **given):  # noqa: N802
    """As above; the weights of its heads are stacked, head after head."""
    return _put(student.MultiHeadAttentionWrapper, **given)


@dataclass(frozen=True)
class _Built:
    """A student's module with the tensors that stand in for its parameters, and how to make another one."""

    module: nn.Module
    weights: dict[str, Tensor]
    stand_ins: dict[str, Tensor]
    kind: type
    sizes: dict[str, object]

    def __call__(self, x):
        output = functional_call(self.module, self.stand_ins, (x,))
        if not isinstance(output, Tensor):
            raise _NoTensorError(output)
        return output


class _NoTensorError(Exception):
    """A module returned something else: that is the answer then, whatever is measured."""

    def __init__(self, returned):
        super().__init__(returned)
        self.returned = _tensors_where_the_first_is(returned)


def _tensors_where_the_first_is(returned):
    """In a tuple that starts with the output, an empty tensor stands for what is none: only tensors can be sent."""
    if not isinstance(returned, tuple) or not returned or not isinstance(returned[0], Tensor):
        return returned
    return tuple(item if isinstance(item, Tensor) else returned[0].new_empty(0) for item in returned)


def _put(kind, *, x, measure="output", training=False, seed=0, before="none", mode="default", **given):
    sizes = {name: value for name, value in given.items() if not isinstance(value, Tensor)}
    weights = {name: value for name, value in given.items() if isinstance(value, Tensor)}
    module = _build(kind, sizes, seed).to(x.dtype).train(training)
    if measure == "made":
        return x.new_ones(())
    if not any(True for _ in module.parameters()):
        module(x)  # what is not written yet says so itself
    built = _Built(module, weights, {}, kind, sizes)
    if weights and measure != "parameters":
        built = replace(built, stand_ins=_stand_ins(built, weights))
    try:
        with _drawing_from(seed):  # what dropout drops decides what is measured of it: no name may be a matter of luck
            with torch.no_grad() if mode == "inference_mode" else MODES[mode]():
                built = BEFORE[before](built, x.detach(), training)
            with MODES[mode]():
                return MEASURES[measure](built, x)
    except _NoTensorError as error:
        return error.returned


@contextmanager
def _drawing_from(seed):
    with torch.random.fork_rng(devices=[]):
        # `torch.manual_seed` also keeps a stack trace for each kind of device that a process might use one day.
        torch.default_generator.manual_seed(seed)
        yield


def _build(kind, sizes, seed):
    with _drawing_from(seed):
        module = call_with(kind, sizes)
    if not isinstance(module, nn.Module):
        raise LookupError(f"{kind.__name__} is no nn.Module: derive the class from nn.Module.")
    return module


# --- What a module may have behind it -------------------------------------------------------------------------------

MODES = {"default": nullcontext, "no_grad": torch.no_grad, "inference_mode": torch.inference_mode}


def _nothing(built, x, training):
    return built


def _several(built, x, training):
    """Used in eval() and in train(), with fewer tokens, as many, as many as it can take, and the very same; since then
    an optimiser has changed the weights, in place. For a call in inference_mode that was under no_grad: a mask that is
    made at the first call and kept may be used in training later.
    """
    kept = {name: tensor.detach().clone() for name, tensor in built.stand_ins.items()}
    with torch.no_grad():
        for tensor in built.stand_ins.values():
            tensor.mul_(-0.5)
    spare = [x[:, :1]] * (built.sizes["context_length"] - x.shape[1])
    longer, shorter = torch.cat((1 - x, *spare), dim=1), 1 - torch.cat((x, x[:1]))[:, : max(1, x.shape[1] - 1)]
    for is_training, other in ((False, shorter), (True, longer), (False, 1 - x), (False, x)):
        built.module.train(is_training)
        built(other)
    built.module.train(training)
    with torch.no_grad():
        for name, tensor in built.stand_ins.items():
            tensor.copy_(kept[name])
    return built


def _loaded(built, x, training):
    """Another module, which was given the state_dict of this one after use."""
    built(x)
    with torch.no_grad():
        for name, parameter in built.module.named_parameters():
            parameter.copy_(built.stand_ins.get(name, parameter))
    other = _build(built.kind, built.sizes, seed=1).to(x.dtype).train(training)
    other.load_state_dict(built.module.state_dict())
    return replace(built, module=other, stand_ins={})


BEFORE = {"none": _nothing, "several": _several, "loaded": _loaded}


# --- What can be asked of a module ----------------------------------------------------------------------------------


def _output(built, x):
    return built(x)


def _opening(built, x):
    """The output of the first half of the tokens."""
    output = built(x)
    return output[:, : x.shape[1] // 2].clone() if output.dim() > 1 else output


def _parameters(built, x):
    """How many numbers training would change."""
    return x.new_tensor(float(sum(p.numel() for p in built.module.parameters() if p.requires_grad)))


def _differences(built, x):
    """Do two calls in a row give different numbers? 1 or 0."""
    return x.new_tensor(float(not torch.equal(built(x), built(x))))


def _saved(built, x):
    """The output of another module that was given this one's state_dict, which was in use before."""
    return _loaded(built, x, training=False)(x)


def _beside(built, x):
    """The output after another module of the same class, with other sizes, was made and used."""
    sizes = built.sizes | {"d_out": 2 * built.sizes["d_out"], "context_length": 2 * built.sizes["context_length"]}
    _build(built.kind, sizes, seed=1).to(x.dtype).eval()(x)
    return built(x)


def _later(built, x):
    """The output after a call of the same shape, and after a shorter one. The first call of all has another batch."""
    built(1 - x[:1, :-1])
    built(1 - x)
    after_another = built(x)
    built(1 - x[:, :2])
    return torch.stack((after_another, built(x)))


def _fates(built, x):
    """What dropout of a half does to single tokens, which attend to themselves alone: four times 1 or 0, and a factor.

    Is every feature dropped or doubled? All features of a head together? Is something dropped, and something kept? By
    how much is that enlarged? In the case the output projection changes nothing.
    """
    built.module.eval()
    values = built(x)
    built.module.train()
    output = built(x)
    close = CLOSE * values.abs().amax()
    dropped, doubled = output.abs() <= close, (output - 2 * values).abs() <= close
    heads = (built.sizes.get("num_heads", 1), -1)
    all_dropped, all_doubled = (fate.unflatten(-1, heads).all(dim=-1) for fate in (dropped, doubled))
    some = (fate.to(x.dtype).mean() > SOME for fate in (dropped, doubled))
    answers = ((dropped | doubled).all(), (all_dropped | all_doubled).all(), *some)
    return torch.stack([answer.to(x.dtype) for answer in (*answers, _one_factor(output[~dropped] / values[~dropped]))])


def _one_factor(ratios):
    """What all ratios are, to the quarter; zero where there are none, or they differ."""
    is_one = ratios.numel() and ratios.amax() - ratios.amin() < QUARTER
    return (ratios.mean() / QUARTER).round() * QUARTER if is_one else ratios.new_zeros(())


def _dropping(built, x):
    """What dropout does to the attention weights of several tokens: a factor, and ten times 1 or 0.

    The case has values that are the tokens' numbers, twice over, and an output projection that changes nothing: so the
    output is the weights. By which factor are those enlarged that are kept? Does all of a weight share its fate? Is the
    share that is dropped about `dropout`? Do fates differ from one sequence, head, query, key to the next? Does a second
    call drop others? Does it drop under no_grad too, and afterwards? Does eval() end it? Are the gradients those of
    the weights that were dropped? All -1 where rows do not add up to one in eval() already.
    """
    heads, rate = built.sizes.get("num_heads", 1), built.sizes["dropout"]
    built.module.eval()
    calm = _as_weights(built(x), heads)
    if ((calm.sum(dim=-1) - 1).abs() > CLOSE).any():
        return x.new_full((11,), -1.0)  # these are no weights: what is dropped of them would be chance
    built.module.train()
    first, second = (_as_weights(built(x), heads) for _ in range(2))
    with torch.no_grad():
        silent = _as_weights(built(x), heads)
    after = _as_weights(built(x), heads)
    is_learning = _is_gradient_of_the_draw(built, x)
    built.module.eval()
    again = _as_weights(built(x), heads)
    ones = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
    dropped, seen = (first == 0)[..., 0, :, :], calm[..., 0, :, :][..., ones]
    factors = (first[..., 0, :, :][..., ones] / seen)[~dropped[..., ones]]
    last = dropped[..., -1, :]
    answers = (
        torch.equal(first[..., 0, :, :], first[..., 1, :, :]),
        abs(dropped[..., ones].to(x.dtype).mean() - rate) < ABOUT,
        (dropped[0] != dropped[-1]).any(),
        (dropped[:, 0] != dropped[:, -1]).any(),
        (dropped[..., 0] != dropped[..., -1:, 0]).any(),
        (last != last[..., :1]).any(),
        not torch.equal(first, second),
        all((weights[..., ones] == 0).any() for weights in (silent, after)),
        torch.equal(calm, again),
        is_learning,
    )
    return torch.stack([_rounded(factors), *(x.new_tensor(float(answer)) for answer in answers)])


def _as_weights(output, heads):
    """(batch, heads, copy, query, key): what the values' features are is twice a token's number."""
    return output.detach().unflatten(-1, (heads, 2, -1)).permute(0, 2, 3, 1, 4)


def _rounded(ratios):
    """What all ratios are, to a sixteenth, which every dtype holds exactly; zero where there are none, or they differ."""
    is_one = ratios.numel() and ratios.amax() - ratios.amin() < CLOSE
    return (ratios.mean() * 16).round() / 16 if is_one else ratios.new_zeros(())


def _is_gradient_of_the_draw(built, x):
    """Whatever is dropped, the output is linear in the values, and queries and keys enter by their product alone. So
    weight times gradient adds up to output times upstream for the values, and to the same sum for queries and for keys.
    """
    weights = {name: tensor.detach().clone().requires_grad_() for name, tensor in built.weights.items()}
    output = replace(built, stand_ins=_stand_ins(built, weights))(x.clone().requires_grad_())
    upstream = torch.arange(output.numel()).to(output).view_as(output).cos()
    output.backward(upstream)
    of_query, of_key, of_value = (weights[f"{role}_weight"] for role in ROLES)
    if any(weight.grad is None for weight in (of_query, of_key, of_value)):
        return False
    passed_on = _agree(output.detach() * upstream, of_value.detach() * of_value.grad)
    return bool(of_key.grad.any()) and passed_on and _agree(*(w.detach() * w.grad for w in (of_query, of_key)))


def _agree(first, second):
    """Do both add up to the same, but for rounding?"""
    terms = max(first.abs().sum(), second.abs().sum())
    return bool((first.sum() - second.sum()).abs() <= ALIKE * terms)


MEASURES = {
    "output": _output,
    "opening": _opening,
    "parameters": _parameters,
    "differences": _differences,
    "saved": _saved,
    "beside": _beside,
    "later": _later,
    "fates": _fates,
    "dropping": _dropping,
}


# --- Which parameter is for what? -----------------------------------------------------------------------------------


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
            stand_ins[name] = _laid_out(name, piece, parameter.shape, turn)
    return stand_ins


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
