"""Measures of ranked lists by trec_eval, through pytrec_eval."""

import json

import numpy as np
import pytrec_eval
from peer import answer, best_of, options

with open(f"{options['folder']}/ranking.json") as file:
    data = json.load(file)
measures = data["measures"]
evaluator = pytrec_eval.RelevanceEvaluator(data["qrels"], set(measures))

best, values = best_of(lambda: evaluator.evaluate(data["run"]))
table = [[values[topic][measure] for measure in measures] for topic in data["run"]]
np.array(table, np.float64).tofile(f"{options['folder']}/ranking.bin")
answer(count=len(table), **best)
