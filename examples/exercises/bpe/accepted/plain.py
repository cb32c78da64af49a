"""Counts words once, and pairs anew for each merge."""

import re
from collections import defaultdict

PATTERN = re.compile(r" ?\w+| ?[^\s\w]+|\s+")


def split_special(text, special_tokens):
    if not special_tokens:
        return [text]
    escaped = [re.escape(t) for t in sorted(special_tokens, key=lambda t: -len(t))]
    return re.split("(" + "|".join(escaped) + ")", text)


def merge(tokens, a, b):
    out = []
    i = 0
    while i < len(tokens):
        if i + 1 < len(tokens) and tokens[i] == a and tokens[i + 1] == b:
            out.append(a + b)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


def train_bpe(text, vocab_size, special_tokens=()):
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size is too small")
    frequencies = defaultdict(int)
    for chunk in split_special(text, special_tokens):
        if chunk not in special_tokens:
            for word in PATTERN.findall(chunk):
                frequencies[word.encode()] += 1
    words = [([bytes([b]) for b in word], n) for word, n in frequencies.items()]
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode()
    merges = []
    while len(vocab) < vocab_size:
        counts = defaultdict(int)
        for tokens, n in words:
            for pair in zip(tokens, tokens[1:]):
                counts[pair] += n
        if not counts:
            break
        _, best = max((n, pair) for pair, n in counts.items())
        words = [(merge(tokens, *best), n) for tokens, n in words]
        vocab[len(vocab)] = best[0] + best[1]
        merges.append(best)
    return vocab, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = vocab
        self.ids = {token: i for i, token in vocab.items()}
        self.merges = merges
        self.special_tokens = special_tokens

    def encode(self, text):
        ids = []
        for chunk in split_special(text, self.special_tokens):
            if chunk in self.special_tokens:
                ids.append(self.ids[chunk.encode()])
                continue
            for word in PATTERN.findall(chunk):
                tokens = [bytes([b]) for b in word.encode()]
                for a, b in self.merges:
                    tokens = merge(tokens, a, b)
                ids += [self.ids[t] for t in tokens]
        return ids

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        data = b""
        for i in ids:
            data += self.vocab[i]
        return data.decode("utf-8", errors="replace")
