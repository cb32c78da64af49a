"""Bytes as characters: latin-1 maps each byte to the character of the same number, so strings sort as bytes do."""
import re
from collections import Counter

PATTERN = re.compile(r" ?\w+| ?[^\s\w]+|\s+")


def to_chars(text):
    return text.encode("utf-8").decode("latin-1")


def to_bytes(chars):
    return chars.encode("latin-1")


def segments(text, special_tokens):
    if not special_tokens:
        return [(text, False)]
    longest_first = sorted(special_tokens, key=lambda s: (-len(s), s))
    parts = re.split("(" + "|".join(re.escape(s) for s in longest_first) + ")", text)
    return [(p, i % 2 == 1) for i, p in enumerate(parts)]


def merge(symbols, left, right):
    result = []
    skip = False
    for here, after in zip(symbols, [*symbols[1:], None]):
        if skip:
            skip = False
        elif here == left and after == right:
            result.append(left + right)
            skip = True
        else:
            result.append(here)
    return result


def train_bpe(text, vocab_size, special_tokens=()):
    start = 256 + len(special_tokens)
    if vocab_size < start:
        raise ValueError("vocab_size is smaller than the bytes and the special tokens")
    counts = Counter()
    for part, special in segments(text, special_tokens):
        if not special:
            counts.update(to_chars(w) for w in PATTERN.findall(part))
    words = {w: list(w) for w in counts}
    merges = []
    while start + len(merges) < vocab_size:
        pairs = Counter()
        for w, symbols in words.items():
            for a, b in zip(symbols, symbols[1:]):
                pairs[a, b] += counts[w]
        if not pairs:
            break
        a, b = max(pairs, key=lambda p: (pairs[p], p))
        merges.append((a, b))
        for w, symbols in words.items():
            if a in symbols:
                words[w] = merge(symbols, a, b)
    vocab = {i: bytes([i]) for i in range(256)}
    vocab.update((256 + i, s.encode("utf-8")) for i, s in enumerate(special_tokens))
    vocab.update((start + i, to_bytes(a + b)) for i, (a, b) in enumerate(merges))
    return vocab, [(to_bytes(a), to_bytes(b)) for a, b in merges]


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.bytes_of = dict(vocab)
        self.number_of = {b: n for n, b in self.bytes_of.items()}
        self.rank = {(a.decode("latin-1"), b.decode("latin-1")): r for r, (a, b) in enumerate(merges)}
        self.special_tokens = list(special_tokens)

    def _word(self, word):
        symbols = list(to_chars(word))
        while len(symbols) > 1:
            best = min(zip(symbols, symbols[1:]), key=lambda p: self.rank.get(p, len(self.rank)))
            if best not in self.rank:
                break
            symbols = merge(symbols, *best)
        return [self.number_of[to_bytes(s)] for s in symbols]

    def encode(self, text):
        numbers = []
        for part, special in segments(text, self.special_tokens):
            if special:
                numbers.append(self.number_of[part.encode("utf-8")])
            else:
                for word in PATTERN.findall(part):
                    numbers.extend(self._word(word))
        return numbers

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        return bytes().join(self.bytes_of[i] for i in ids).decode("utf-8", errors="replace")
