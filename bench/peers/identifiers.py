"""Identifiers that Presidio's patterns find, without a language model, and without the network."""

import json
import logging

import spacy
import tldextract
from presidio_analyzer import AnalyzerEngine, PatternRecognizer, RecognizerRegistry
from presidio_analyzer.nlp_engine import SpacyNlpEngine
from presidio_analyzer.predefined_recognizers import PhoneRecognizer
from spacy.language import Language

from peer import answer, best_of, options

logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())


@Language.component("words_as_lemmas")
def words_as_lemmas(words):
    """Presidio looks for context words, such as "card", among the lemmas. A blank model has none."""
    for word in words:
        word.lemma_ = word.lower_
    return words


class BlankEngine(SpacyNlpEngine):
    def load(self):
        language = spacy.blank("en")
        language.add_pipe("words_as_lemmas")
        self.nlp = {"en": language}


engine = BlankEngine()
engine.load()
registry = RecognizerRegistry()
registry.load_predefined_recognizers(languages=["en"], nlp_engine=engine)
registry.recognizers = [one for one in registry.recognizers if isinstance(one, (PatternRecognizer, PhoneRecognizer))]
# Addresses of pages and dates identify nobody.
entities = sorted({name for one in registry.recognizers for name in one.supported_entities} - {"URL", "DATE_TIME"})
analyzer = AnalyzerEngine(registry=registry, nlp_engine=engine)


def is_flagged(query):
    return len(analyzer.analyze(query, "en", entities=entities, score_threshold=0.4)) > 0


with open(f"{options['folder']}/identifiers.json") as file:
    queries = json.load(file)
best, _ = best_of(lambda: [is_flagged(query) for query in queries["timed"]])
with open(f"{options['folder']}/identifiers-found.json", "w") as file:
    json.dump([is_flagged(query) for query in queries["labelled"]], file)
answer(count=len(queries["timed"]), **best)
