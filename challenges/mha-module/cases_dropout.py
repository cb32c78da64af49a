"""A case family of mha-module, run after cases.py: dropout. Its helpers serve the other classes, too."""

from collections.abc import Sequence
from dataclasses import replace

DIFFER = "answer to 'do two calls differ?' (1 is yes, 0 is no)"
FATES = (
    "is each feature dropped or doubled?",
    "are all features of a head dropped together?",
    "are some weights dropped?",
    "are some weights kept?",
    "by how much are the kept weights scaled up?",
)
DROPPED = (
    "by how much are the kept weights scaled up?",
    "is a weight dropped as a whole?",
    "is about the right fraction of the weights dropped?",
    "are different weights dropped in each sequence?",
    "are different weights dropped in each head?",
    "are different weights dropped for each query?",
    "are different weights dropped for each key?",
    "are different weights dropped in a second call?",
    "are some weights dropped under no_grad, too?",
    "are all weights kept after eval()?",
    "are the gradients those of the kept weights?",
)
ANSWERS = "answers about dropout"


TRAINING = {"training": True}


def dropout(draw: Draw) -> Iterator[Case]:
    """Dropout falls on the attention weights, after the softmax, and only in training."""
    in_training = "Use nn.Dropout as a layer, or pass self.training to F.dropout: eval() must switch it off."
    on_weights = "Apply dropout to the attention weights, between the softmax and the product with the values."
    random = "With dropout=0.5 in training, each call drops different weights."
    yield _case(draw, "eval", "eval(): nothing is dropped, whatever dropout is", dropout=1.0, hint=in_training)
    calm = {"measure": "differences"}
    twice = _case(draw, "eval-twice", "eval(): two calls agree", dropout=0.5, given=calm, hint=in_training)
    yield replace(twice, what=DIFFER)
    twice = _case(draw, "train-twice", "train(): two calls differ", dropout=0.5, given=calm | TRAINING, hint=random)
    yield replace(twice, what=DIFFER)
    everything = "train() with dropout=1: no attention weight is left, only the bias of out_proj"
    yield _case(draw, "everything", everything, dropout=1.0, given=TRAINING, hint=on_weights)
    yield _case(draw, "none", "train() with dropout=0", given=TRAINING)
    yield _fate_case(draw, MHA, on_weights)
    yield from _dropping_cases(draw, MHA, 4)


def _fate_case(draw: Draw, entry: str, hint: str) -> Case:
    """Single tokens: the only attention weight of a head is dropped or doubled, and all its features with it."""
    arguments = _arguments(draw, entry, tokens=1, batch=64, dropout=0.5) | {"measure": "fates"}
    if entry == MHA:
        rows = arguments["output_weight"].shape[0]
        arguments |= {"output_weight": torch.eye(rows), "output_bias": torch.zeros(rows)}
    title = "train() with dropout=0.5: a head's only weight is dropped, or doubled"
    return Case("half", title, Call("", entry, arguments), hint=hint, what=ANSWERS, questions=FATES)


def _dropping_cases(draw: Draw, entry: str, heads: int, rates: Sequence[float] = (0.25, 0.75)) -> Iterator[Case]:
    """The output is the attention weights themselves: values are the tokens' numbers, twice over in each head. More than
    a thousand weights can be dropped, so that chance decides none of the answers.
    """
    hint = "Dropout decides separately for each attention weight, drops the fraction `dropout`, and divides the rest by 1 - dropout."
    tokens = 6
    for rate in rates:
        arguments = _arguments(draw, entry, batch=64, tokens=tokens, heads=heads, width=2 * tokens, dropout=rate)
        arguments["x"][..., :tokens] = numbers = torch.eye(tokens)
        arguments["value_weight"] = torch.zeros_like(arguments["value_weight"])
        arguments["value_weight"][:, :tokens] = numbers.repeat(2 * heads, 1)
        if entry == MHA:
            rows = arguments["output_weight"].shape[0]
            arguments |= {"output_weight": torch.eye(rows), "output_bias": torch.zeros(rows)}
        title = f"train() with dropout={rate}: which of the weights of several tokens are dropped"
        call = Call("", entry, arguments | {"measure": "dropping"})
        yield Case(f"share-{rate}", title, call, hint=hint, what=ANSWERS, questions=DROPPED)


FAMILIES["dropout"] = dropout
