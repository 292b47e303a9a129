"""All pairs of vectors with a cosine of at least theta, by sparse_dot_topn."""

import numpy as np
from scipy.sparse import csr_matrix
from sparse_dot_topn import sp_matmul_topn

from peer import answer, best_of, options


def read(name, kind):
    return np.fromfile(f"{options['folder']}/vectors-{name}.bin", kind)


dims = read("dims", np.int32)
offsets = read("offsets", np.uint32).astype(np.int32)
vectors = csr_matrix((read("weights", np.float64), dims, offsets), shape=(len(offsets) - 1, dims.max() + 1))


def multiply():
    return sp_matmul_topn(
        vectors,
        vectors.T.tocsr(),
        top_n=options["most"],
        threshold=options["theta"] - 1e-12,
        n_threads=options["threads"],
    )


best, product = best_of(multiply)
count = vectors.shape[0]
if np.diff(product.indptr).max() == options["most"]:
    raise SystemExit("a vector has more similar ones than the bound")
# Every pair is found twice, and every vector with itself.
answer(count=count, pairs=(product.nnz - count) // 2, **best)
