import type { StreamFigures } from "#dist/stream/live/stream-figures.js"

/** Figures of a stream that runs well. */
export function figuresOf(changes: Partial<StreamFigures> = {}): StreamFigures {
  return {
    state: "running",
    now: 1_700_000_100_000,
    startedAt: 1_700_000_000_000,
    k: 10,
    depth: 6,
    mode: "strict",
    users: "cell",
    inputs: [],
    promised: true,
    reasons: ["Every cell has new names."],
    lines: 1_250_000,
    taken: 1_200_000,
    released: 900_000,
    waiting: 280_000,
    cells: 81_000,
    rejected: { user: 12, time: 3 },
    late: { records: 120, seconds: 7200 },
    withheld: { identifier: 21_000, repeated: 9000, "no topic": 40_000 },
    categories: 3120,
    largest: [
      { path: "entity/animal/dog", waiting: 4100, users: 9, gated: false },
      { path: 'a "quoted" \\ path', waiting: 2000, users: 10, gated: true },
    ],
    delay: { records: { p50: 4100, p99: 81_000 }, seconds: { p50: 2.5, p99: 64 } },
    delayOfRun: { records: { mean: 9000, p50: 4000, p99: 80_000 }, seconds: { mean: 8, p50: 2, p99: 60 } },
    commit: { p50: 4.5, p99: 22 },
    memory: { rss: 812_000_000, heap: 230_000_000 },
    journalBytes: 64_000_000,
    checkpoint: { age: 31, isStalled: false },
    risk: {
      at: 1_700_000_095_000,
      releases: 49_995,
      promise: 0.1,
      attacker: "times-and-order",
      named: 49_995,
      share: 0.1012,
      lower: 0.0962,
      alarm: false,
      alarmed: [],
    },
    ...changes,
  }
}
