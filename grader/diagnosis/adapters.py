"""What to tell of a gradient that is lost because an adapter copies the weights into a module."""

from collections.abc import Sequence

from grader.diagnosis.symptom import Symptom
from grader.guest.inspection import Inspection, WeightCopy
from grader.report import Diagnosis

WAYS = {
    "load_state_dict": "`load_state_dict` copies the weights into `{module}`",
    "copy_": "`copy_` copies the weights into `{module}`",
    ".data": "`.data =` puts the weights into `{module}` behind the back of the graph",
    "nn.Parameter": "`nn.Parameter` makes new weights of those that you were given, for `{module}`",
}


def with_the_way_that_keeps_gradients(diagnoses: Sequence[Diagnosis], inspection: Inspection) -> tuple[Diagnosis, ...]:
    """The diagnoses; one of a lost gradient says which line copies the weights, and what to write instead."""
    if not inspection.copies:
        return tuple(diagnoses)
    return tuple(_told(diagnosis, inspection.copies) for diagnosis in diagnoses)


def _told(diagnosis: Diagnosis, copies: Sequence[WeightCopy]) -> Diagnosis:
    if diagnosis.id != Symptom.DETACHED:
        return diagnosis
    copy = copies[0]
    patch = copy.patch if len(copies) == 1 else None
    how = WAYS[copy.way].format(module=copy.module)
    explanation = (
        f"{how}, and what is there then has no link to the tensors that you were given: no gradient reaches them. Keep "
        "the module, and let it use your tensors for one call: "
        f"`torch.func.functional_call({copy.module}, weights, (in_features, ...))`, where `weights` maps the name of "
        "each parameter to its tensor."
    )
    if patch is not None:
        explanation += " The patch below does just that."
    told = {"explanation": explanation, "line": copy.place.line, "file": copy.place.file, "patch": patch}
    return diagnosis.model_copy(update=told)
