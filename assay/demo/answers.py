"""What made-up students answer to conceptual questions."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Final

from app.models import Answer, Submission, User
from app.questions.asked import bank_for, drawn_for
from grader.questions import NO_FACTS, LineVariant, QuestionBank, TextVariant
from grader.report import Verdict

WRITES: Final = 0.4  # of those who answer, a free text
TEXTS: Final = {
    "why-drop-the-mean": (
        "You save computing the mean and subtracting it, so one pass less over the features. It works because what "
        "matters for stable training is the scale of the activations, not where they are centred.",
        "It is faster. I think the mean is close to zero anyway.",
        "There is no bias to learn. The next linear layer can shift everything if it needs to.",
    ),
    "one-head-or-many": (
        "Each head has its own softmax, so a token can look sharply at several places at once, and each head compares "
        "other features. But every head has only 64 of them to compare by.",
        "Many heads are more parallel on a GPU.",
        "With one head the token gets one average. With eight it gets eight, and the output projection combines them.",
    ),
}


def answers(random: Random, bank: QuestionBank, user: User, last: Submission, skill: float) -> Iterator[Answer]:
    """Yields the answers of a student whose last submission got as far as a verdict: most questions, the more of them
    right the higher the `skill`.
    """
    if last.verdict is Verdict.REJECTED or random.random() < 0.1:
        return
    for place, variant in enumerate(
        bank_for(bank, last.assignment).variants(drawn_for(user.question_seed, last.assignment), NO_FACTS)
    ):
        ease = 0.85 - 0.6 * ((place * 7) % 11) / 11
        is_right = random.random() < 0.6 * skill + 0.6 * ease
        given = variant.right if is_right or not variant.wrong else random.choice(variant.wrong)
        texts = TEXTS.get(variant.view.id, ())
        if isinstance(variant, TextVariant) and texts and random.random() < WRITES:
            given = random.choice(texts)
        if given is None or isinstance(variant, LineVariant) or random.random() < 0.06:
            continue
        at = last.created_at + timedelta(minutes=2 + 2 * place)
        mark = variant.mark(given).model_dump(mode="json")
        yield Answer(submission_id=last.id, question=variant.view.id, given=given, mark=mark, given_at=at)
