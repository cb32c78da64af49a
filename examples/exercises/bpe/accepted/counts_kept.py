"""Keeps the counts of pairs, and changes those that a merge touches."""

import re
from collections import Counter, defaultdict


def pieces_of(text, special_tokens):
    special = sorted(special_tokens, key=len, reverse=True)
    return re.split("|".join(map(re.escape, special)), text) if special else [text]


class Trainer:
    def __init__(self, pieces):
        found = Counter()
        for piece in pieces:
            found.update(re.findall(r" ?\w+| ?[^\s\w]+|\s+", piece))
        self.words = [[bytes([b]) for b in word.encode("utf-8")] for word in found]
        self.times = list(found.values())
        self.counts = Counter()
        self.where = defaultdict(set)
        for index in range(len(self.words)):
            self.note(index, 1)

    def note(self, index, sign):
        word = self.words[index]
        for pair in zip(word[:-1], word[1:]):
            self.counts[pair] += sign * self.times[index]
            if self.counts[pair] == 0:
                del self.counts[pair]
            self.where[pair].add(index)

    def best(self):
        return max(self.counts.items(), key=lambda item: (item[1], item[0]))[0] if self.counts else None

    def join(self, pair):
        for index in list(self.where[pair]):
            self.note(index, -1)
            word, new, place = self.words[index], [], 0
            while place < len(word):
                is_pair = tuple(word[place : place + 2]) == pair
                new.append(b"".join(pair) if is_pair else word[place])
                place += 1 + is_pair
            self.words[index] = new
            self.note(index, 1)


def train_bpe(text, vocab_size, special_tokens=()):
    tokens = [bytes([b]) for b in range(256)] + [special.encode() for special in special_tokens]
    if vocab_size < len(tokens):
        raise ValueError("no room for the special tokens")
    trainer, merges = Trainer(pieces_of(text, special_tokens)), []
    for _ in range(vocab_size - len(tokens)):
        pair = trainer.best()
        if pair is None:
            break
        trainer.join(pair)
        merges.append(pair)
    tokens += [first + second for first, second in merges]
    return {number: token for number, token in enumerate(tokens)}, merges


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab, self.merges = vocab, list(merges)
        self.inverse = {token: number for number, token in self.vocab.items()}
        self.special = sorted(special_tokens, key=len, reverse=True)
        self.cache = {}

    def encode(self, text):
        if not self.special:
            return self.plain(text)
        ids = []
        pattern = "|".join(re.escape(token) for token in self.special)
        last = 0
        for found in re.finditer(pattern, text):
            ids += self.plain(text[last : found.start()]) + [self.inverse[found.group().encode()]]
            last = found.end()
        return ids + self.plain(text[last:])

    def plain(self, text):
        return [number for word in re.findall(r" ?\w+| ?[^\s\w]+|\s+", text) for number in self.of_word(word)]

    def of_word(self, word):
        if word not in self.cache:
            parts = [bytes([b]) for b in word.encode("utf-8")]
            for first, second in self.merges:
                place = 0
                while place < len(parts) - 1:
                    if parts[place] == first and parts[place + 1] == second:
                        parts[place : place + 2] = [first + second]
                    place += 1
            self.cache[word] = [self.inverse[part] for part in parts]
        return self.cache[word]

    def encode_iterable(self, texts):
        for text in texts:
            yield from self.encode(text)

    def decode(self, ids):
        return bytes(byte for number in ids for byte in self.vocab[number]).decode("utf-8", "replace")
