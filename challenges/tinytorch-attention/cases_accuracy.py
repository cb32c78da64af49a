"""Case families of tinytorch-attention, run after cases.py: gradients, and large scores."""

from grader.authoring import Aspect, Flaw, Hint


def attention_gradients(draw: Draw) -> Iterator[Case]:
    """Numbers that leave the graph through .data come back without a history: the values are right, nothing learns."""
    for of in ("Q", "K", "V"):
        arguments = _qkv(draw, 2, 5, 6)
        yield _gradient_case(
            draw, of, f"gradient of {of}", Call("", ATTENTION, arguments), _attention_growth(arguments), (of,)
        )
    arguments = _qkv(draw, 2, 6, 5) | {"mask": _mask(draw, 2, seq=6)}
    title = "gradients of Q, K and V with a mask"
    yield _gradient_case(
        draw, "masked", title, Call("", ATTENTION, arguments), _attention_growth(arguments), ("Q", "K", "V")
    )


def gradients(draw: Draw) -> Iterator[Case]:
    """Of the input and of what is learned. The bias of the keys is left out: it shifts all scores of a query alike, so
    its gradient is zero in any right answer."""
    for name, of, mask in (
        ("input", ("x",), LEFT_OUT),
        ("input-masked", ("x",), _mask(draw, 2, seq=7)),
        ("queries", ("q_proj_weight", "q_proj_bias"), LEFT_OUT),
        ("keys", ("k_proj_weight",), LEFT_OUT),
        ("values", ("v_proj_weight", "v_proj_bias"), LEFT_OUT),
        ("output", ("out_proj_weight", "out_proj_bias"), LEFT_OUT),
        ("causal", ("q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight"), _causal(2, seq=7)),
    ):
        arguments = _arguments(draw, mask=mask)
        title = f"gradient of {' and '.join(part.replace('proj_', 'proj.') for part in of)}{'' if mask is LEFT_OUT else ', masked'}"
        yield _gradient_case(draw, name, title, Call("", MHA, arguments), _growth(arguments), of)


def _gradient_case(draw: Draw, name: str, title: str, call: Call, growth: float, of: tuple[str, ...]) -> Case:
    """A gradient passes through every step twice, and sums over the batch: four times the roundings."""
    like = call.arguments["V"] if call.function == ATTENTION else call.arguments["x"]
    asked = Call("", call.function, call.arguments, gradient=draw.normal(*like.shape), differentiate=of)
    hint = "Use only tinytorch's operations: numbers that pass through .data or NumPy lose their history."
    return Case(name, title, asked, growth=4 * growth, aspects=frozenset({Aspect.GRADIENTS}), hint=hint)


def large_scores(draw: Draw) -> Iterator[Case]:
    """exp overflows above 88 in float32, and a mask must hide what it hides from large scores, too."""
    overflow = Hint(
        "exp of a large score overflows: tinytorch's Softmax subtracts the row's maximum first.", Flaw.NOT_FINITE
    )
    yield _attention_case("attention", "scores of several hundred", _qkv(draw, 2, 6, 8, gain=14.0), hint=overflow)
    hidden = "Hidden keys must get a weight of zero, however large their scores are."
    masked = _qkv(draw, 2, 6, 8, gain=14.0) | {"mask": _causal(2, seq=6)}
    yield _attention_case("masked", "scores of several hundred, causal", masked, hint=hidden)
    arguments = _qkv(draw, 3, 5, 8, gain=0.3)
    # Queries and keys lie along one line: hidden keys where the queries point, the others away from there.
    mask = torch.tensor([1.0, 0, 1, 1, 0]).expand(3, 5, 5).clone()
    arguments["K"] += 10 - 20 * mask[:, 0, :, None]
    arguments |= {"Q": arguments["Q"] + 10, "mask": mask}
    lower = "A hidden score must end up below all the others, however high it was and however low they are: add -1e9."
    growth = 3 * _attention_growth(arguments)  # such logits meet the bound, of which others reach a third
    call = Call("", ATTENTION, arguments)
    yield Case("hidden-above", "hidden scores above 200, the others below -200", call, growth=growth, hint=lower)
    yield _case(draw, "heads", "four heads with scores of several hundred", gain=6.0, hint=overflow)


FAMILIES |= {"attention-gradients": attention_gradients, "gradients": gradients, "large-scores": large_scores}
