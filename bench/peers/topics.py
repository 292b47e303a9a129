"""The first sense of the longest noun that ends a query, by NLTK's WordNet: a noun phrase ends with its head."""

import json

import nltk
import numpy as np
from nltk.corpus import wordnet
from peer import answer, best_of, options

nltk.data.path.insert(0, options["nltk"])
wordnet.ensure_loaded()
with open(f"{options['folder']}/topics.json") as file:
    queries = json.load(file)


def classify(query):
    words = query.split(" ")
    for end in range(len(words), 0, -1):
        for start in range(max(0, end - 4), end):
            senses = wordnet.synsets("_".join(words[start:end]), "n")
            if senses:
                return senses[0].offset()
    return -1


best, offsets = best_of(lambda: [classify(query) for query in queries])
np.array(offsets, np.int32).tofile(f"{options['folder']}/topics.bin")
answer(count=len(queries), **best)
