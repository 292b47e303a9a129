"""One of SciPy's statistical tests, on pairs of samples."""

import numpy as np
from peer import answer, best_of, options
from scipy import stats

tests, size, smaller = options["tests"], options["size"], options["smaller"]


def read(name):
    return np.fromfile(f"{options['folder']}/statistics-{name}.bin").reshape(tests, size)


values, others, counts, other_counts = map(read, ["values", "others", "counts", "otherCounts"])
places = np.arange(size)


def run(test):
    if options["test"] == "ks":
        found = stats.ks_2samp(values[test], others[test][:smaller], method="exact")
    elif options["test"] == "emd":
        return [stats.wasserstein_distance(places, places, counts[test], other_counts[test])]
    elif options["test"] == "chi-square":
        found = stats.chisquare(counts[test])
    else:
        found = stats.ttest_rel(values[test], others[test])
    return [found.statistic, found.pvalue]


best, results = best_of(lambda: [run(test) for test in range(tests)])
np.array(results, np.float64).tofile(f"{options['folder']}/statistics-{options['test']}.bin")
answer(count=tests, **best)
