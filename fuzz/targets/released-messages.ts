import type { StreamSettings } from "#dist/stream/live/settings.js"
import { releasedReader } from "#dist/stream/workers/released-message.js"
import { ensure, type FuzzTarget } from "../target.ts"

const settings: StreamSettings = {
  ...{ k: 10, depth: 6, mode: "strict", users: "keep", urls: "drop", time: "hour", category: true, to: "jsonl" },
  ...{ numbered: true, repeats: "once", scrub: "all", sensitive: [], gated: [] },
}
const readers = (["jsonl", "tsv"] as const).map((to) => releasedReader({ ...settings, to }))

/** Messages of a topic of releases: a user and a category are texts of the message, or it is no release. */
export const target: FuzzTarget = {
  covers: ["stream/workers/released-message"],
  words: ['{"seq":', '"user":"ann"', '"category":"pets"', '"query":null', "{", "}", ",", "\t", "\\u0000", "[", "]"],
  seeds: () => [
    '{"seq":4,"user":"ann","query":"lamp","time":"2026-03-01 10:00:00","category":"pets/dogs"}',
    "4\tann\tlamp\t2026-03-01 10:00:00\tpets/dogs",
    '{"user":null,"category":[]}',
  ],
  check: (input) => {
    for (const read of readers) {
      const found = read(Buffer.from(input))
      if (found === undefined) continue
      ensure(
        typeof found.user === "string" && typeof found.category === "string",
        "a release has a user and a category",
      )
    }
  },
}
