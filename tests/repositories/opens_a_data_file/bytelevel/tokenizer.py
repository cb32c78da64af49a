import json
from pathlib import Path

VOCAB = json.loads((Path(__file__).parent / "vocab.json").read_text())


def encode(text):
    return [VOCAB[letter] for letter in text]
