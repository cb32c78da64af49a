"""The case families of transformer-lm: one generator each. Name = what is probed; docstring = why.

Sizes keep apart what a mistake could confuse: vocabulary, layers, batch, seq, heads, d_head and d_ff differ, and so do the
weights of all layers. Those of a kind are one argument, with an axis for the layers: sandbox/harness.py takes it apart.
"""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from grader.authoring import Aspect, Call, Case, Draw, GradMode, StructureCall

MODEL = "transformer_lm"
NORMS = {"attn_norm_weight": "attn_norm.weight", "ffn_norm_weight": "ffn_norm.weight"}
ATTENTION = {f"{role}_proj_weight": f"attn.{role}_proj.weight" for role in "qkvo"}
FFN = {f"w{number}_weight": f"ffn.w{number}.weight" for number in (1, 2, 3)}
OF_A_LAYER = ATTENTION | NORMS | FFN
ENDS = {
    "token_embeddings_weight": "token_embeddings.weight",
    "final_norm_weight": "final_norm.weight",
    "lm_head_weight": "lm_head.weight",
}
NAMES = (*ENDS, *OF_A_LAYER)
DEFAULT = 1e-5  # of eps
# Roundings of each step, whatever the sizes, beside those that a sum makes: _growth.
ELEMENTWISE = 48
STEP = 1e-7  # by what share the weights are off that show what becomes of roundings
HOW = ("way", "keys")  # arguments for the harness


def _arguments(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (2,),
    seq: int = 6,
    vocab: int = 17,
    layers: int = 2,
    heads: int = 3,
    d_head: int = 4,
    d_ff: int = 10,
    theta: float = 500.0,
    eps: float | None = None,
    size: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> dict:
    """`size` is that of the embeddings. They differ in size and have a mean: no other norm is a substitute."""
    d_model = heads * d_head
    shapes = dict.fromkeys(ATTENTION, (layers, d_model, d_model))
    shapes |= {"w1_weight": (layers, d_ff, d_model), "w2_weight": (layers, d_model, d_ff)}
    shapes |= {"w3_weight": (layers, d_ff, d_model), "lm_head_weight": (vocab, d_model)}
    arguments = {"token_ids": _tokens(draw, (*batch, seq), vocab), "num_layers": layers, "num_heads": heads}
    arguments |= {"max_seq_len": seq, "theta": theta}
    if eps is not None:
        arguments["eps"] = eps
    rows = size * (1 + draw.normal(vocab, 1).abs())
    arguments["token_embeddings_weight"] = rows * (draw.normal(vocab, d_model) + draw.choice([-0.5, 0.5]))
    arguments["final_norm_weight"] = draw.normal(d_model) + 0.5
    arguments |= {name: draw.normal(layers, d_model) + 0.5 for name in NORMS}
    arguments |= {name: 1.5 * draw.normal(*shape) / math.sqrt(shape[-1]) for name, shape in shapes.items()}
    return {name: value.to(dtype) if _is_floating(value) else value for name, value in arguments.items()}


def _tokens(draw: Draw, shape: tuple[int, ...], vocab: int) -> Tensor:
    """The last token of the vocabulary and its first are always among them, if there is room for both."""
    drawn = [draw.integer(0, vocab - 1) for _ in range(math.prod(shape))]
    drawn[0], drawn[-1] = vocab - 1, 0
    return torch.tensor(drawn).reshape(shape)


def _is_floating(value: object) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _logits(draw: Draw, leaves: dict[str, Tensor], arguments: dict) -> Tensor:
    """What is right, of these weights and all other arguments."""
    weights = {key: leaves[name] for name, key in ENDS.items()}
    for layer in range(arguments["num_layers"]):
        weights |= {f"layers.{layer}.{key}": leaves[name][layer] for name, key in OF_A_LAYER.items()}
    rest = {name: value for name, value in arguments.items() if name not in (*NAMES, *HOW)}
    return draw.reference.transformer_lm(weights=weights, **rest)


def _weights_nearly(draw: Draw, arguments: dict, step: float) -> dict[str, Tensor]:
    """In float64, where each number is off by about such a share of itself."""
    source = draw.apart("off")
    exact = {name: arguments[name].double() for name in NAMES}
    return {name: weight * (1 + step * source.normal(*weight.shape)) for name, weight in exact.items()}


def _roundings(draw: Draw, arguments: dict) -> float:
    """How many a step makes: of the longest sums in it, those of features, of the hidden layer and of tokens, and of a
    score, whose rounding the softmax takes to the exponent.
    """
    d_model, d_ff = arguments["lm_head_weight"].shape[-1], arguments["w1_weight"].shape[-2]
    sums = 2 * math.sqrt(d_model) + math.sqrt(d_ff) + math.sqrt(arguments["token_ids"].shape[-1])
    return ELEMENTWISE + sums + _largest_score(draw, arguments)


def _largest_score(draw: Draw, arguments: dict) -> float:
    """In the first block, before RoPE: those of all others are drawn alike."""
    reference, exact = draw.reference, _weights_nearly(draw, arguments, 0.0)
    x = exact["token_embeddings_weight"][arguments["token_ids"]]
    z = reference.rms_norm(x, exact["attn_norm_weight"][0], arguments.get("eps", DEFAULT))
    projected = (reference.project(z, exact[f"{role}_proj_weight"][0]) for role in "qk")
    Q, K = (reference.split_heads(each, arguments["num_heads"]) for each in projected)
    return reference.compare(Q, K).abs().amax().item()


def _growth(draw: Draw, arguments: dict) -> float:
    """How many roundings a right answer may be off by. Each step makes some, and what becomes of them, through norms of
    what cancels and through exponents, is seen by weights that are off by one rounding each.
    """
    exact, other = (_logits(draw, _weights_nearly(draw, arguments, step), arguments) for step in (0.0, STEP))
    becomes = ((exact - other).abs().amax() / (STEP * exact.abs().amax().clamp(min=1e-30))).item()
    return _roundings(draw, arguments) * max(1.0, becomes)


def _growth_of_gradients(draw: Draw, call: Call) -> tuple[float, float]:
    """How many roundings, and of what: the largest gradient of any weight, from which the others may cancel. The backward
    pass goes through every step once more.
    """
    exact, other = (_gradients(draw, call, step) for step in (0.0, STEP))
    scale = max(gradient.abs().amax().item() for gradient in exact)
    becomes = max((one - two).abs().amax().item() for one, two in zip(exact, other, strict=True)) / (STEP * scale)
    return max(2 * _growth(draw, call.arguments), 2 * _roundings(draw, call.arguments) * becomes), scale


def _gradients(draw: Draw, call: Call, step: float) -> tuple[Tensor, ...]:
    """Of all weights."""
    leaves = {name: w.requires_grad_() for name, w in _weights_nearly(draw, call.arguments, step).items()}
    output = _logits(draw, leaves, call.arguments)
    return torch.autograd.grad(output, list(leaves.values()), call.gradient.double())


def _case(draw: Draw, name: str, title: str, given: dict | None = None, *, hint: str = "", **sizes: object) -> Case:
    """`given` replaces what was drawn."""
    arguments = _arguments(draw, **sizes) | (given or {})
    return Case(name, title, Call("", MODEL, arguments), growth=_growth(draw, arguments), hint=hint)


def _example() -> dict:
    plain = {"token_ids": torch.tensor([1]), "num_layers": 1, "num_heads": 1, "max_seq_len": 1, "theta": 10_000.0}
    plain |= {"eps": 0.0, "token_embeddings_weight": torch.tensor([[1.0, 0.0], [3.0, 4.0], [0.0, 2.0]])}
    plain |= dict.fromkeys(NORMS, torch.ones(1, 2)) | dict.fromkeys(ATTENTION | FFN, torch.eye(2)[None])
    head = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    return plain | {"final_norm_weight": torch.ones(2), "lm_head_weight": head}


def values(draw: Draw) -> Iterator[Case]:
    """The whole model, with any leading axes and any sizes."""
    yield Case("example", "the example in the exercise", Call("", MODEL, _example()), growth=_growth(draw, _example()))
    axes = "Count axes from the end: there may be any number of leading axes."
    yield _case(draw, "no-batch", "no leading axis: (seq,)", batch=(), hint=axes)
    yield _case(draw, "two-axes", "two leading axes", batch=(2, 3), hint=axes)
    yield _case(draw, "one-head", "one head", heads=1)
    yield _case(draw, "many-heads", "8 heads of 2 features", heads=8, d_head=2)
    yield _case(draw, "small-vocabulary", "fewer tokens than features", vocab=3)
    yield _case(draw, "wide", "2 heads of 32 features, d_ff = 172, 100 tokens", heads=2, d_head=32, d_ff=172, vocab=100)
    yield _case(draw, "theta", "theta = 20", theta=20.0, seq=9)


def layers(draw: Draw) -> Iterator[Case]:
    """Each block has weights of its own, and they come in the order of their numbers."""
    hint = "Block i takes the weights whose keys begin with layers.i., and what block i - 1 gave."
    for count in (1, 3):
        yield _case(draw, f"layers-{count}", f"{count} layer{'s' if count > 1 else ''}", layers=count, hint=hint)
    tenth = "As text, layers.10 comes before layers.2: count the layers instead of sorting their names."
    yield _case(draw, "layers-12", "12 layers", layers=12, heads=1, d_ff=4, hint=tenth)
    for name, of_whom in (("first-still", 0), ("last-still", 2)):
        arguments = _arguments(draw, layers=3)
        for weight in ("o_proj_weight", "w2_weight"):
            arguments[weight][of_whom] = 0.0
        title = f"three layers, of which the {name.partition('-')[0]} adds zero"
        yield Case(name, title, Call("", MODEL, arguments), growth=_growth(draw, arguments), hint=hint)


def ends(draw: Draw) -> Iterator[Case]:
    """Where the blocks add zero, embeddings, last norm and head stand alone."""
    still = {"o_proj_weight": torch.zeros(2, 12, 12), "w2_weight": torch.zeros(2, 12, 10)}
    hint = "What is left: rows of token_embeddings.weight, the final norm, and the product with lm_head.weight."
    yield _case(draw, "blocks-still", "blocks that add zero: head(norm(embedding))", still, hint=hint)
    yield _case(draw, "alike", "one token, five times", {"token_ids": torch.full((2, 5), 3)}, hint=hint)
    square = "Matrices are stored (out, in): logits are z @ lm_head.weight.T, also where the vocabulary is d_model."
    yield _case(draw, "square", "as many tokens as features", vocab=12, hint=square)
    zeros = {"final_norm_weight": torch.zeros(12)}
    yield _case(draw, "norm-zero", "final_norm.weight of zeros: logits of zero", zeros, hint=hint)
    yield _case(draw, "large-embeddings", "embeddings a hundred times as large as what blocks add", size=100.0)
    eps = "All norms use the caller's eps, the final one too; it is 1e-5 when it is left out."
    yield _case(draw, "eps", "eps = 0.3", eps=0.3, hint=eps)
    yield _case(draw, "eps-left-out", "eps left out, embeddings of a thousandth", size=1e-3, hint=eps)
    yield _case(draw, "eps-of-the-last", "small embeddings, blocks that add zero", still, eps=1e-3, size=0.02, hint=eps)
    yield _case(draw, "eps-of-the-last-left-out", "the same with eps left out", still, size=1e-3, hint=eps)
    yield _case(draw, "eps-zero", "eps = 0", eps=0.0, size=1e-3, hint=eps)


def causal(draw: Draw) -> Iterator[Case]:
    """Logits for every place, of which none knows a later token."""
    hint = "The logits of a place depend on its token and on earlier ones; there are logits for each place."
    yield _case(draw, "one-token", "one token", seq=1)
    yield _case(draw, "longer", "17 tokens, none sees a later one", seq=17, hint=hint)
    opening = _arguments(draw, seq=7)
    for name, seq, title in (
        ("whole", 7, "seven tokens"),
        ("opening", 4, "the first four of them alone: the same logits"),
    ):
        arguments = opening | {"token_ids": opening["token_ids"][:, :seq].clone()}
        yield Case(name, title, Call("", MODEL, arguments), growth=_growth(draw, opening), hint=hint)


def large(draw: Draw) -> Iterator[Case]:
    """Scores and gates of several hundred: exp of them has no number in float32."""
    softmax, sigmoid = "Subtract the row's maximum before exp.", "The silu of -300 is 0, and so is its gradient."
    for name, enlarged, factor, hint in (
        ("scores", ("q_proj_weight", "k_proj_weight"), 11.0, softmax),
        ("gates", ("w1_weight",), 120.0, sigmoid),
    ):
        arguments = _arguments(draw)
        for weight in enlarged:
            arguments[weight] *= factor
        title = f"{name} of several hundred"
        yield Case(name, title, Call("", MODEL, arguments), growth=_growth(draw, arguments), hint=hint)
        yield _gradient_case(draw, f"{name}-gradient", f"gradient of all weights, {title}", NAMES, arguments, hint)


def gradients(draw: Draw) -> Iterator[Case]:
    """Of all weights: one that is copied into a module gets none."""
    rows = "Each place at which a token stands adds to the gradient of its row, that of token 0 as well."
    yield _gradient_case(draw, "embeddings", "gradient of the embeddings", tuple(ENDS)[:1], _arguments(draw), rows)
    yield _gradient_case(draw, "ends", "gradient of the final norm and the head", tuple(ENDS)[1:], _arguments(draw))
    yield _gradient_case(draw, "blocks", "gradient of the weights of all blocks", tuple(OF_A_LAYER), _arguments(draw))


def _gradient_case(draw: Draw, name: str, title: str, of: tuple[str, ...], arguments: dict, hint: str = "") -> Case:
    logits = (*arguments["token_ids"].shape, len(arguments["lm_head_weight"]))
    call = Call("", MODEL, arguments, gradient=draw.normal(*logits), differentiate=of)
    growth, scale = _growth_of_gradients(draw, call)
    return Case(name, title, call, growth, scale, frozenset({Aspect.GRADIENTS}), hint=hint)


def structure(draw: Draw) -> list[StructureCall]:
    """Watched, not judged: whether a library does the work, with and without a graph."""
    return [
        StructureCall(Call("", MODEL, _arguments(draw))),
        StructureCall(Call("", MODEL, _arguments(draw, heads=2), differentiate=NAMES), 2, "training"),
        StructureCall(Call("", MODEL, _arguments(draw, heads=2), grad_mode=GradMode.NO_GRAD), 2, "no-grad"),
        StructureCall(Call("", MODEL, _arguments(draw, heads=2, seq=160)), 2, "many-tokens"),
    ]


def workload(draw: Draw, seq: int = 128) -> Call:
    """What is timed."""
    sizes = {"vocab": 512, "layers": 2, "heads": 8, "d_head": 16, "d_ff": 344}
    return Call("workload", MODEL, _arguments(draw, batch=(2,), seq=seq, **sizes))


FAMILIES = {
    "values": values,
    "layers": layers,
    "ends": ends,
    "causal": causal,
    "large": large,
    "gradients": gradients,
}
