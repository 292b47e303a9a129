/**
 * Variables that make a bench shorter, for trials. `BENCH_ONLY`: the names of what to run, separated by commas.
 * `BENCH_ROUNDS`: how often each is run. `BENCH_SIZES`: millions of rows. `BENCH_SECONDS`: the limit of a case.
 */
const { BENCH_ONLY, BENCH_ROUNDS, BENCH_SIZES, BENCH_SECONDS } = process.env

/** True if this part of a bench is to be run. */
export const isChosen = (name: string): boolean => BENCH_ONLY === undefined || BENCH_ONLY.split(",").includes(name)

/** The best of this many runs counts. */
export const rounds = Number(BENCH_ROUNDS ?? 5)

/** Sizes of logs in millions of rows. */
export const sizesOr = (usual: readonly number[]): readonly number[] => BENCH_SIZES?.split(",").map(Number) ?? usual

export const secondsOr = (usual: number): number => Number(BENCH_SECONDS ?? usual)
