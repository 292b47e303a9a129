import { type Static, Type } from "#typebox"
import { classifierOption } from "../../taxonomy/classify/open-classifier.ts"
import { taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import type { Point, Study } from "../study.ts"
import { computeSwapPart } from "./points.ts"
import { swapFigures, swapNotes } from "./swap-figures.ts"

/** The parts that a study can leave out. */
const partNames = ["grid", "repairs", "wrong", "lifetimes"] as const

const options = Type.Object({
  k: Type.Array(Type.Integer({ minimum: 2 }), {
    default: [3, 10, 20, 50, 90, 200],
    description: "try these values of k, separated by commas",
  }),
  depth: Type.Array(Type.Integer({ minimum: 1, maximum: 255 }), {
    default: Array.from({ length: 13 }, (_, i) => i + 1),
    description: "try these levels of topics, separated by commas",
  }),
  parts: Type.Array(Type.Enum([...partNames]), {
    default: [...partNames],
    description: "compute these parts, separated by commas",
  }),
  ...taxonomyOption.properties,
  ...classifierOption.properties,
})

/** The lifetimes of names to compare. */
const lifetimes = ["drop", "cell", "session", "day", "pseudonym"]

const nearestTo = (values: readonly number[], wanted: number) =>
  [...values].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted

/** The depth at which failures and repairs are shown, if it is among the depths studied. It is the method's default. */
const usualDepth = 6

/** The synthetic category with a heavy user, who issues this share of the records. */
const heavyUser = { share: 0.3, records: 20_000 }

/**
 * The synthetic category of news, of which one user issues this share, and the categories in which everybody issues the
 * same texts.
 */
const news = { share: 0.3, records: 20_000 }
const fewTexts = { users: 300, texts: "20,60" }

/**
 * Swapping users among searches of one topic: the figures of Pàmies-Estrems et al. 2020 for this log, in the paper's
 * mode and in strict mode. Also shows where the paper's 1/k fails, what repairs it, and what the repair costs. A point
 * is one mode and k, over all depths. The queries are classified once.
 */
export const swapStudy: Study<typeof options> = {
  name: "swap",
  summary: "vary k and depth of swap: who is found again, how long searches wait, what is lost",
  options,
  points: listPoints,
  compute: computeSwapPart,
  figures: swapFigures,
  notes: (_subject, results, { parts }) =>
    swapNotes(results, { without: partNames.filter((name) => !parts.includes(name)) }),
}

function listPoints({ k, depth, parts, taxonomy, classifier }: Static<typeof options>): Point[] {
  const [ks, depths] = [k, depth].map((list) => [...new Set(list)].sort((a, b) => a - b))
  const topics = { taxonomy, ...(classifier === undefined ? {} : { classifier }) }
  const shown = (depths ?? []).includes(usualDepth) ? usualDepth : (depths?.at(-1) ?? usualDepth)
  const grid = { part: "grid", depth: depths?.join() ?? "", ...topics }
  const points = [
    { part: "log", depth: depths?.join() ?? "", ...topics },
    ...(["paper", "strict"] as const).flatMap((mode) => (ks ?? []).map((value) => ({ ...grid, mode, k: value }))),
    { part: "heavy", k: ks?.join() ?? "", ...heavyUser },
    { part: "news", k: ks?.join() ?? "", ...news },
    { part: "fewTexts", k: ks?.join() ?? "", ...fewTexts },
    ...(ks ?? []).map((value) => ({ part: "repairs", k: value, depth: shown, ...topics })),
    {
      part: "wrong",
      k: nearestTo(ks ?? [], 10),
      depth: shown,
      ks: ks?.join() ?? "",
      depths: depths?.join() ?? "",
      ...topics,
    },
    ...lifetimes.map((users) => ({ part: "lifetimes", users, k: nearestTo(ks ?? [], 10), depth: shown, ...topics })),
  ]
  return points.filter(({ part }) => !partNames.some((name) => name === part && !parts.includes(name)))
}
