"""Counts of the neighbouring pairs are not reduced after a merge.

Pair counts are kept up to date; only the words that hold the merged pair are touched."""
from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

PATTERN = re.compile(r" ?\w+| ?[^\s\w]+|\s+")
Pair = tuple[bytes, bytes]
BYTES = [bytes((i,)) for i in range(256)]


def _special_pattern(special: Sequence[str]) -> re.Pattern[str] | None:
    if not special:
        return None
    return re.compile("|".join(map(re.escape, sorted(special, key=len, reverse=True))))


def _pieces(text: str, special: Sequence[str]) -> Iterator[tuple[str, bool]]:
    pattern = _special_pattern(special)
    start = 0
    if pattern is not None:
        for m in pattern.finditer(text):
            yield text[start : m.start()], False
            yield m.group(), True
            start = m.end()
    yield text[start:], False


def _join(word: list[bytes], pair: Pair) -> list[bytes]:
    new, i = [], 0
    while i < len(word):
        if word[i] == pair[0] and i < len(word) - 1 and word[i + 1] == pair[1]:
            new.append(pair[0] + pair[1])
            i += 2
        else:
            new.append(word[i])
            i += 1
    return new


def train_bpe(text: str, vocab_size: int, special_tokens: Sequence[str] = ()) -> tuple[dict[int, bytes], list[Pair]]:
    table = BYTES + [s.encode() for s in special_tokens]
    if vocab_size < len(table):
        raise ValueError(f"vocab_size must be at least {len(table)}")
    frequency: Counter[str] = Counter()
    for piece, is_special in _pieces(text, special_tokens):
        if not is_special:
            frequency.update(m.group() for m in PATTERN.finditer(piece))
    words = [[BYTES[b] for b in w.encode()] for w in frequency]
    weights = list(frequency.values())
    counts: dict[Pair, int] = defaultdict(int)
    where: dict[Pair, set[int]] = defaultdict(set)
    for n, word in enumerate(words):
        for pair in zip(word, word[1:]):
            counts[pair] += weights[n]
            where[pair].add(n)
    merges: list[Pair] = []
    while len(table) < vocab_size and counts:
        best = max(counts, key=lambda p: (counts[p], p))
        for n in where.pop(best):
            before = set(zip(words[n], words[n][1:]))
            words[n] = _join(words[n], best)
            for pair in before - set(zip(words[n], words[n][1:])):
                counts[pair] -= weights[n]  # gone from this word
                if counts[pair] <= 0:
                    del counts[pair]
            for pair in set(zip(words[n], words[n][1:])) - before:
                counts[pair] += weights[n]
                where[pair].add(n)
        merges.append(best)
        table.append(best[0] + best[1])
    return dict(enumerate(table)), merges


class Tokenizer:
    def __init__(self, vocab: dict[int, bytes], merges: list[Pair], special_tokens: Sequence[str] = ()) -> None:
        self._bytes_of = dict(vocab)
        self._id_of = {v: k for k, v in vocab.items()}
        self._rank: dict[Pair, int] = {}
        for r, m in enumerate(merges):
            self._rank.setdefault(m, r)
        self._special = tuple(special_tokens)
        self._word = lru_cache(maxsize=50_000)(self._encode_word)

    def _encode_word(self, word: str) -> tuple[int, ...]:
        parts = [BYTES[b] for b in word.encode()]
        infinity = len(self._rank)
        while len(parts) > 1:
            ranks = [self._rank.get(p, infinity) for p in zip(parts, parts[1:])]
            i = min(range(len(ranks)), key=ranks.__getitem__)
            if ranks[i] == infinity:
                break
            parts[i : i + 2] = [parts[i] + parts[i + 1]]
        return tuple(self._id_of[p] for p in parts)

    def encode(self, text: str) -> list[int]:
        ids: list[int] = []
        for piece, is_special in _pieces(text, self._special):
            if is_special:
                ids.append(self._id_of[piece.encode()])
                continue
            for m in PATTERN.finditer(piece):
                ids += self._word(m.group())
        return ids

    def encode_iterable(self, texts: Iterable[str]) -> Iterator[int]:
        return (i for text in texts for i in self.encode(text))

    def decode(self, ids: Sequence[int]) -> str:
        return b"".join(map(self._bytes_of.__getitem__, ids)).decode("utf-8", "replace")
