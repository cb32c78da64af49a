import re
from collections import Counter, defaultdict
from typing import NamedTuple

PATTERN = r" ?\w+| ?[^\s\w]+|\s+"


class Word(NamedTuple):
    parts: tuple
    count: int


def _cut(text, special):
    if len(special) == 0:
        return [text], []
    rx = re.compile("|".join(re.escape(s) for s in sorted(special, key=len, reverse=True)))
    return rx.split(text), rx.findall(text)


def _apply(parts, pair):
    out, i = [], 0
    try:
        while True:
            j = parts.index(pair[0], i)
            out.extend(parts[i:j])
            if parts[j + 1 : j + 2] == (pair[1],):
                out.append(pair[0] + pair[1])
                i = j + 2
            else:
                out.append(parts[j])
                i = j + 1
    except ValueError:
        out.extend(parts[i:])
    return tuple(out)


def train_bpe(text, vocab_size, special_tokens=()):
    vocab = dict(enumerate([bytes([i]) for i in range(256)] + [s.encode() for s in special_tokens]))
    if vocab_size < len(vocab):
        raise ValueError("vocab_size")
    texts, _ = _cut(text, special_tokens)
    seen = Counter()
    for t in texts:
        seen.update(re.findall(PATTERN, t))
    words = [Word(tuple(bytes([b]) for b in w.encode()), c) for w, c in seen.items()]
    pairs, users = Counter(), defaultdict(set)

    def register(n, sign):
        for p in zip(words[n].parts, words[n].parts[1:]):
            pairs[p] += sign * words[n].count
            users[p].add(n)

    for n in range(len(words)):
        register(n, 1)
    merges = []
    while len(vocab) < vocab_size:
        most = max(pairs.values(), default=0)
        if most == 0:
            break
        best = max(p for p, c in pairs.items() if c == most)
        for n in list(users[best]):
            register(n, -1)
            words[n] = Word(_apply(words[n].parts, best), words[n].count)
            register(n, 1)
        merges.append(best)
        vocab[len(vocab)] = b"".join(best)
    return vocab, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self._vocab = vocab
        self._order = {m: i for i, m in reversed(list(enumerate(merges)))}
        self._special = tuple(special_tokens)
        self._id = {b: i for i, b in vocab.items()}
        self._cache = {}

    def _encode_word(self, word):
        if word not in self._cache:
            parts = tuple(bytes([b]) for b in word.encode())
            while pairs := [p for p in zip(parts, parts[1:]) if p in self._order]:
                parts = _apply(parts, min(pairs, key=self._order.__getitem__))
            self._cache[word] = [self._id[p] for p in parts]
        return self._cache[word]

    def encode(self, text):
        texts, specials = _cut(text, self._special)
        ids = []
        for i, t in enumerate(texts):
            for w in re.findall(PATTERN, t):
                ids += self._encode_word(w)
            if i < len(specials):
                ids.append(self._id[specials[i].encode()])
        return ids

    def encode_iterable(self, texts):
        return (i for t in texts for i in self.encode(t))

    def decode(self, ids):
        return b"".join([self._vocab[i] for i in ids]).decode("utf-8", errors="replace")
