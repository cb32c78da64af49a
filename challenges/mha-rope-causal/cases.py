"""The case families of mha-rope-causal: those of mha-rope, but for full attention.

Earlier means: earlier in the sequence. Positions rise along it in every case, so that code which hides larger positions
instead of later places does the same.
"""

_in_any_order = _arguments
_all_positions = positions
_usual_accuracy = accuracy
UNORDERED = ("permuted", "reordered", "all-zero")


def _arguments(draw: Draw, **sizes: object) -> dict:
    arguments = _in_any_order(draw, **sizes)
    given = arguments.get("token_positions")
    return arguments | {"token_positions": given.sort(dim=-1).values} if isinstance(given, Tensor) else arguments


def positions(draw: Draw) -> Iterator[Case]:
    """Positions are angles' factors, not places in the sequence: left out, None, shifted, gapped, far."""
    for case in _all_positions(draw):
        if case.id not in UNORDERED:
            yield case


def causal_attention(draw: Draw) -> Iterator[Case]:
    """No token sees a later one, each sees itself, and that for any length."""
    hint = "A token attends to itself and to the tokens before it, and to no later one."
    for name, title, sizes in (
        ("two-tokens", "two tokens: the first sees only itself", {"seq": 2}),
        ("nine-tokens", "nine tokens: each sees itself and the tokens before it", {"seq": 9}),
        ("longer-than-a-head", "more tokens than a head has features", {"seq": 13, "d_head": 4}),
        ("as-many-as-heads", "as many tokens as heads", {"seq": 4, "heads": 4}),
        ("unbatched", "no batch axis", {"seq": 6, "batch": ()}),
        ("full-length", "as many tokens as max_seq_len allows", {"seq": 12, "spare": 0}),
    ):
        yield _case(draw, name, title, hint=hint, **sizes)
    yield _zero_token_case(draw)
    before = _arguments(draw, seq=8)
    after = before | {"in_features": before["in_features"].clone()}
    after["in_features"][..., 5:, :] = draw.normal(2, 3, before["d_model"])
    title = "different tokens from the sixth on: the first five outputs stay the same"
    for name, arguments in (("a-text", before), ("with-another-end", after)):
        yield Case(name, title, Call("", MHA, arguments), growth=_growth(draw, arguments), hint=hint)


def _zero_token_case(draw: Draw) -> Case:
    """Its scores are exactly zero: nobody may take them for those that a triangle of the scores leaves out."""
    arguments = _arguments(draw)
    arguments["in_features"][..., 3, :] = 0
    title = "a token of zeros in the middle: scores of zero hide nothing"
    hint = "What is hidden depends only on the order of the tokens, never on the scores: build the mask from ones."
    return Case("zero-token", title, Call("", MHA, arguments), growth=_growth(draw, arguments), hint=hint)


def accuracy(draw: Draw) -> Iterator[Case]:
    """Numbers that are harder: large and low scores among them, never so far apart that a hidden one drowns the rest.

    Hiding after the softmax and sharing out anew is right as long as something is left to share.
    """
    overflow = "exp of a large score overflows: subtract the row's maximum first."
    lower = "The score of a later token must be below all the others, however low those are: use minus infinity."
    for name, title, arguments, hint in (
        ("large-logits", "scores of several hundred", _high_scores(draw), overflow),
        ("low-scores", "all scores below -100", _low_scores(draw), lower),
    ):
        # Here the logits meet the bound of which _growth takes a third.
        yield Case(name, title, Call("", MHA, arguments), growth=3 * _growth(draw, arguments), hint=hint)
    for case in _usual_accuracy(draw):
        if case.id != "large-logits":
            yield case


# Turning changes little without the fastest pair, so that scores are what the features make them.
SLOW = torch.tensor([0.0, 0, 1, 1, 1, 1, 1, 1])


def _high_scores(draw: Draw) -> dict:
    """A query's length comes from feature 0, which differs much; a key's from feature 1, which hardly does: each row
    has its own large score, about the same for all of its keys.
    """
    arguments = _arguments(draw, heads=1, d_head=8, theta=500_000.0)
    features = arguments["in_features"]
    features[..., 0] = 2 + 4 * draw.distinct(7, 7)
    features[..., 1] = 10 + 0.2 * features[..., 1]
    weights = {name: torch.zeros(8, 8) for name in WEIGHTS[:2]}
    weights["q_proj_weight"][:, 0] = weights["k_proj_weight"][:, 1] = SLOW
    return arguments | weights


def _low_scores(draw: Draw) -> dict:
    """Each key points away from each query."""
    arguments = _arguments(draw, heads=1, d_head=8, theta=500_000.0)
    features = 10 + 0.2 * arguments["in_features"]
    return arguments | {"q_proj_weight": SLOW.diag(), "k_proj_weight": -SLOW.diag(), "in_features": features}


FAMILIES = {
    name: {"positions": positions, "full-attention": causal_attention, "accuracy": accuracy}.get(name, generate)
    for name, generate in FAMILIES.items()
}
FAMILIES["causal-attention"] = FAMILIES.pop("full-attention")
