import type { ExposureHistory, ExposureRecord } from "../personal/exposure-history.ts"

/** True if a path is that of a topic or of one below it. */
export const isAtOrBelow = (path: string, above: string): boolean =>
  path === above || above === "" || path.startsWith(`${above}/`)

/** A marked topic that an engine was shown before it was marked. */
export interface LateMark {
  path: string
  mark: "sensitive" | "never"
  engine: string
  /**
   * UTC seconds of the first exposure. null if that exposure was deleted: it is unknown if the topic was marked at that
   * time.
   */
  time: number | null
}

/** Finds marked topics that were shown, themselves or a topic below them, before they were marked. */
export function findLateMarks(
  history: ExposureHistory,
  marks: { sensitive: Iterable<string>; never: Iterable<string> },
): LateMark[] {
  const { accounts } = history
  const wanted = [
    ...Array.from(marks.sensitive, (path) => ({ path, mark: "sensitive" as const })),
    ...Array.from(marks.never, (path) => ({ path, mark: "never" as const })),
  ]
  return wanted.flatMap(({ path, mark }) =>
    accounts.observers.flatMap((engine): LateMark[] => {
      if (![...accounts.shownTo(engine)].some((shown) => isAtOrBelow(shown, path))) return []
      const records = history.records.filter(
        (record) => record.engine === engine && record.exposed.some((shown) => isAtOrBelow(shown, path)),
      )
      if (records.length === 0) return [{ path, mark, engine, time: null }]
      const late = records.filter((record) => !wasMarked(history, record, { path, mark }))
      return late.length === 0 ? [] : [{ path, mark, engine, time: Math.min(...late.map(({ time }) => time)) }]
    }),
  )
}

/** True if the topic, or an ancestor, had this mark when the exposure was made. */
function wasMarked(
  { layers }: ExposureHistory,
  { layer: id }: ExposureRecord,
  { path, mark }: Pick<LateMark, "path" | "mark">,
): boolean {
  const layer = layers.get(id)
  const marked = mark === "never" ? (layer?.never ?? []) : (layer?.sensitive ?? []).map(([topic]) => topic)
  return marked.some((above) => isAtOrBelow(path, above))
}
