import json
from collections import Counter
from typing import Iterable

import regex as re
from pydantic import BaseModel, Field
from rich.progress import track

PAT = re.compile(r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+|\s+(?!\S)|\s+""")


class TokenizerConfig(BaseModel):
    vocab_size: int = Field(default=10_000, gt=256)
    special_tokens: list[str] = []


class Tokenizer:
    def __init__(self, vocab, merges, config: TokenizerConfig | None = None):
        self.vocab, self.merges, self.config = vocab, merges, config or TokenizerConfig()

    def encode(self, text: str) -> list[int]:
        return [self.vocab[m.group().encode()] for m in PAT.finditer(text)]


def count_pairs(words: Iterable[bytes]) -> Counter:
    counts = Counter()
    for word in track(words):
        counts.update(zip(word, word[1:]))
    return counts
