"""What can be asked of a module: the further part of harness.py that measures. Nothing secret."""

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
