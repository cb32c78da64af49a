"""Questions that show options: one of them, several of them, all of them in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from grader.questions.variant import Variant
from grader.questions.view import AnswerFormatError, Mark


def _letters(given: JsonValue) -> list[str]:
    """The letters of an answer, as a list or as text with anything between them."""
    if isinstance(given, str):
        given = list(given.replace(",", " ").split())
    return [str(item).strip().lower() for item in given] if isinstance(given, list) else []


@dataclass(frozen=True)
class ChoiceVariant(Variant):
    """One option is right, by its letter. `feedbacks` say what is wrong with each of the others."""

    answer: str
    feedbacks: Mapping[str, str]
    explanation: str

    def mark(self, answer: JsonValue) -> Mark:
        ids = [option.id for option in self.view.options]
        given = answer.strip().lower() if isinstance(answer, str) else None
        if given not in ids:
            raise AnswerFormatError(f"Choose one option by its letter: {', '.join(ids)}.")
        if given == self.answer:
            return self._mark(1, self.explanation)
        return self._mark(0, self.feedbacks[given])

    @property
    def right(self) -> JsonValue:
        return self.answer

    @property
    def wrong(self) -> Sequence[JsonValue]:
        return list(self.feedbacks)


@dataclass(frozen=True)
class ChoicesVariant(Variant):
    """`forgotten` is what to say for a right option that is missing, `feedbacks` for a wrong one that is there."""

    forgotten: Mapping[str, str]
    feedbacks: Mapping[str, str]
    explanation: str

    def mark(self, answer: JsonValue) -> Mark:
        ids = [option.id for option in self.view.options]
        given = _letters(answer)
        if not given or len(set(given)) < len(given) or not set(given) <= set(ids):
            raise AnswerFormatError(f"Choose all the correct options by their letters, each once: {', '.join(ids)}.")
        chosen = [letter for letter in given if letter in self.feedbacks]
        missing = [letter for letter in self.forgotten if letter not in given]
        if not chosen and not missing:
            return self._mark(1, self.explanation)
        # Part of the right ones less part of the wrong ones: choosing all, or by chance, earns nothing.
        share = 1 - len(missing) / len(self.forgotten) - len(chosen) / len(self.feedbacks)
        return self._mark(max(0.0, share), self._told(chosen, missing))

    def _told(self, chosen: Sequence[str], missing: Sequence[str]) -> str:
        told = [f"{option.text}: {self.feedbacks[option.id]}" for option in self.view.options if option.id in chosen]
        if missing:
            told.append(f"Still missing: {len(missing)}. {' '.join(self.forgotten[letter] for letter in missing)}")
        return " ".join(told)

    @property
    def right(self) -> JsonValue:
        return [*sorted(self.forgotten)]

    @property
    def wrong(self) -> Sequence[JsonValue]:
        """One wrong option beside the right ones, and one right option left out."""
        right = sorted(self.forgotten)
        answers = [[*right, letter] for letter in self.feedbacks]
        answers += [[other for other in right if other != letter] for letter in right]
        return [[*letters] for letters in answers if letters]


@dataclass(frozen=True)
class OrderVariant(Variant):
    """All options are to be put in the right order, by their letters."""

    answer: tuple[str, ...]
    nudge: str
    explanation: str

    def mark(self, answer: JsonValue) -> Mark:
        ids = [option.id for option in self.view.options]
        given = [str(item).strip().lower() for item in answer] if isinstance(answer, list) else []
        if sorted(given) != ids:
            message = f"Give the letters of all {len(ids)} steps, each once, the first step first: {', '.join(ids)}."
            raise AnswerFormatError(message)
        followers = set(pairwise(self.answer))
        kept = sum(pair in followers for pair in pairwise(given))
        if kept == len(followers):
            return self._mark(1, self.explanation)
        told = f"{kept} of the {len(followers)} steps are directly followed by the right next step."
        return self._mark(kept / len(followers), f"{told} {self.nudge}")

    @property
    def right(self) -> JsonValue:
        return list(self.answer)

    @property
    def wrong(self) -> Sequence[JsonValue]:
        return [[option.id for option in self.view.options]]
