"""Words are sequences of characters instead of bytes, so text outside ASCII goes wrong.

Byte-pair encoding, written as the handout says it."""

import re
from collections import Counter

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


def split_special(text, special_tokens):
    """[piece, special, piece, special, ..., piece]; longer special tokens first."""
    if not special_tokens:
        return [text]
    ordered = sorted(special_tokens, key=len, reverse=True)
    return re.split("(" + "|".join(re.escape(s) for s in ordered) + ")", text)


def merge_pair(symbols, pair):
    out = []
    i = 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            out.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return tuple(out)


def train_bpe(text, vocab_size, special_tokens=()):
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size is too small")
    vocab = {i: bytes([i]) for i in range(256)}
    for s in special_tokens:
        vocab[len(vocab)] = s.encode("utf-8")

    words = Counter()
    for piece in split_special(text, special_tokens)[::2]:
        for word in re.findall(PATTERN, piece):
            words[tuple(c.encode("utf-8") for c in word)] += 1

    merges = []
    while len(vocab) < vocab_size:
        pairs = Counter()
        for symbols, count in words.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += count
        if not pairs:
            break
        most = max(pairs.values())
        best = max(p for p, c in pairs.items() if c == most)
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
        new_words = Counter()
        for symbols, count in words.items():
            new_words[merge_pair(symbols, best)] += count
        words = new_words
    return vocab, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = dict(vocab)
        self.merges = list(merges)
        self.special_tokens = list(special_tokens)
        self.ids = {b: i for i, b in self.vocab.items()}

    def encode_word(self, word):
        symbols = tuple(bytes([b]) for b in word.encode("utf-8"))
        ranks = {pair: r for r, pair in enumerate(self.merges)}
        while len(symbols) > 1:
            candidates = [p for p in zip(symbols, symbols[1:]) if p in ranks]
            if not candidates:
                break
            symbols = merge_pair(symbols, min(candidates, key=ranks.get))
        return [self.ids[s] for s in symbols]

    def encode(self, text):
        out = []
        for i, piece in enumerate(split_special(text, self.special_tokens)):
            if i % 2:
                out.append(self.ids[piece.encode("utf-8")])
            else:
                for word in re.findall(PATTERN, piece):
                    out.extend(self.encode_word(word))
        return out

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")
