"""Learns the word pieces of the deep model. usage: python deep-vocabulary.py TEXT OUT [SIZE]"""
import sys

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

text, out = sys.argv[1:3]
size = int(sys.argv[3]) if len(sys.argv) > 3 else 16384
special = ["[pad]", "[mask]", "[unknown]"]
tokenizer = Tokenizer(models.WordPiece(unk_token="[unknown]"))
tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
tokenizer.train([text], trainers.WordPieceTrainer(vocab_size=size, special_tokens=special, min_frequency=8, show_progress=False))
vocabulary = tokenizer.get_vocab()
ordered = sorted(vocabulary, key=vocabulary.get)
with open(out, "w", encoding="utf-8") as file:
    file.write("\n".join(ordered) + "\n")
print(len(ordered), "pieces")
