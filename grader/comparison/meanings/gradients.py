"""Exceptions about gradients: what was changed in place, taken out of the graph, or kept from an earlier call."""

from grader.comparison.meanings.meaning import meanings

GRADIENTS = meanings(
    (
        "a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
        "This writes into a tensor that the caller handed over and wants the gradient of: compute a new "
        "tensor instead of changing it.",
    ),
    (
        "modified by an inplace operation",
        "The backward pass still needs a tensor that was overwritten in the meantime (`x[...] = `, `+=`, or "
        "a method ending in `_`): compute a new tensor instead.",
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy does not know about gradients. Detaching, as the message suggests, would make it run and lose "
        "the gradient: stay with torch's own functions.",
    ),
    (
        "backward through the graph a second time",
        "Something computed in an earlier call is used again in this one: compute it anew in each call.",
    ),
    (
        r"cannot assign '\S+' as (?:parameter|child module)",
        "A module keeps a parameter under this name, and only another parameter can take its place; a weight "
        "that is handed over is used as it is, or its gradient is lost.",
    ),
)
