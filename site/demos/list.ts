/** The demos that a page can show, by the name in its `data-demo`. */
export const demos = [
  "equality",
  "swap",
  "counts",
  "affinity",
  "wordnet",
  "groups",
  "profiles",
  "personal",
  "stream",
  "frontier",
] as const

/** One of `demos`. */
export type DemoName = (typeof demos)[number]
