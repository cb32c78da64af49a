"""Byte-pair encoding, on bytes."""

from collections.abc import Iterable, Iterator, Sequence

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


def train_bpe(
    text: str, vocab_size: int, special_tokens: Sequence[str] = ()
) -> tuple[dict[int, bytes], list[tuple[bytes, bytes]]]:
    """The vocabulary, and the merges in their order."""
    raise NotImplementedError


class Tokenizer:
    """Text to numbers and back."""

    def __init__(
        self, vocab: dict[int, bytes], merges: list[tuple[bytes, bytes]], special_tokens: Sequence[str] = ()
    ) -> None:
        raise NotImplementedError

    def encode(self, text: str) -> list[int]:
        """The numbers of the text's tokens."""
        raise NotImplementedError

    def encode_iterable(self, texts: Iterable[str]) -> Iterator[int]:
        """The numbers of one text after the other."""
        raise NotImplementedError

    def decode(self, ids: Sequence[int]) -> str:
        """The text that these tokens make."""
        raise NotImplementedError
