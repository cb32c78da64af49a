"""Functions that call themselves."""

import re
from functools import reduce
from itertools import chain

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


def fused(word, pair):
    result = []
    i = 0
    while i < len(word):
        step = 2 if tuple(word[i : i + 2]) == tuple(pair) else 1
        result.append(b"".join(word[i : i + step]))
        i += step
    return result


def split_at(text, specials):
    for special in specials:
        if special in text:
            break
    else:
        return [text] if text else []
    places = [(text.find(s), -len(s), s) for s in specials if s in text]
    place, _, special = min(places)
    return [*([text[:place]] if place else []), special, *split_at(text[place + len(special) :], specials)]


def as_bytes(text):
    return [[bytes([b]) for b in word.encode()] for word in re.findall(PATTERN, text)]


def train_bpe(text, vocab_size, special_tokens=()):
    specials = list(special_tokens)
    if vocab_size < 256 + len(specials):
        raise ValueError("too small")
    words = list(chain.from_iterable(as_bytes(piece) for piece in split_at(text, specials) if piece not in specials))
    merges = learn(words, vocab_size - 256 - len(specials))
    vocab = [bytes([b]) for b in range(256)] + [s.encode() for s in specials] + [a + b for a, b in merges]
    return {i: token for i, token in enumerate(vocab)}, merges


def learn(words, count):
    if count == 0:
        return []
    pairs = {}
    for word in words:
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + 1
    if not pairs:
        return []
    best = max(pairs, key=lambda pair: (pairs[pair], *pair))
    return [best, *learn([fused(word, best) for word in words], count - 1)]


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab, self.merges, self.specials = vocab, merges, list(special_tokens)

    def encode(self, text):
        ids = {token: i for i, token in self.vocab.items()}
        found = []
        for piece in split_at(text, self.specials):
            if piece in self.specials:
                found.append(ids[piece.encode()])
            else:
                found += [ids[token] for word in as_bytes(piece) for token in reduce(fused, self.merges, word)]
        return found

    def encode_iterable(self, texts):
        return chain.from_iterable(map(self.encode, texts))

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", errors="replace")
