import { type Static, Type } from "typebox"
import type { Dictionary } from "../kernels/dictionary.ts"
import { hasQueries, type Probe, type ProbeSubject, type Score } from "../release/probe.ts"

const options = Type.Object({
  top: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 1_000_000,
    description: "how many of the most frequent are compared",
  }),
})

/** The most frequent ids by falling count, ties by bytes, so that the order does not depend on how the log was read. */
function mostFrequent(column: Int32Array, texts: Dictionary, top: number): number[] {
  const counts = new Uint32Array(texts.size)
  for (const id of column) if (id >= 0) counts[id]++
  const least = texts.size <= top ? 0 : counts.slice().sort()[texts.size - top]
  const candidates: number[] = []
  for (let id = 0; id < counts.length; id++) if (counts[id] >= least) candidates.push(id)
  candidates.sort((a, b) => counts[b] - counts[a] || Buffer.compare(texts.bytes(a), texts.bytes(b)))
  return candidates.slice(0, top)
}

/** Share of the log's N most frequent texts that are among the release's N most frequent. */
async function overlap(
  subject: ProbeSubject,
  column: "query" | "url",
  { top }: Static<typeof options>,
  context: Parameters<Probe["run"]>[2],
): Promise<Score[]> {
  const { log } = subject
  const released = await subject.release.log(context)
  const texts = column === "query" ? "queries" : "urls"
  const before = mostFrequent(log[column], log[texts], top)
  const after = new Set(mostFrequent(released[column], released[texts], top).map((id) => released[texts].text(id)))
  const shared = before.filter((id) => after.has(log[texts].text(id))).length
  const value = before.length === 0 ? 0 : shared / before.length
  return [{ name: `top-${texts}@${top}`, value, n: before.length, baseline: 1, better: "higher" }]
}

export const topQueries: Probe<typeof options> = {
  name: "top-queries",
  summary: "overlap of the N most frequent queries",
  options,
  applies: hasQueries,
  run: (subject, values, context) => overlap(subject, "query", values, context),
}

export const topUrls: Probe<typeof options> = {
  name: "top-urls",
  summary: "overlap of the N most clicked urls",
  options,
  applies: ({ release, log }) => {
    if (!release.manifest.columns.includes("ClickURL")) return "the release shows no urls"
    return log.urls.size === 0 ? "the log has no clicks" : true
  },
  run: (subject, values, context) => overlap(subject, "url", values, context),
}
