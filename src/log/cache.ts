import { createHash } from "node:crypto"
import { join, resolve } from "node:path"
import { loadKept, saveKept } from "../files/kept-file.ts"
import { encodeSections, type Section } from "../files/section-file.ts"
import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { dictionaryFrom } from "../kernels/dictionary.ts"
import { fingerprintFile } from "./blocks.ts"
import { findInputs, type InputFile } from "./inputs.ts"
import type { Intake } from "./intake.ts"
import type { ReadResult } from "./parse-sources.ts"
import type { SearchLog, Unit } from "./search-log.ts"

/** Raise the version when the log in memory, the normalisation or the output of the parsers changes. */
const format = { magic: "queryveil log cache\n", version: 7 }

/** What the header contains besides the columns. */
interface Facts {
  stamps: string[]
  intake: Omit<Intake, "rejects" | "cached">
  unit: Unit
  rows: number
  events: number
}

/**
 * A folder of parsed logs, one file for each set of inputs and options. Files have mode 0600, because they contain
 * every query of the log. A file is used if its version is ours and the stamps of the inputs (size, times, inode) are
 * those it was made from, or else their SHA-256 are. If anything else is wrong with it, the log is parsed again.
 */
export async function openCache(folder: string, options: { inputs: InputFile[]; reading: object }) {
  const { inputs, reading } = options
  const key = JSON.stringify([reading, inputs.map(({ path }) => resolve(path))])
  const path = join(folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.log`)
  const cacheable = inputs.every(({ stamp }) => stamp !== undefined)
  return {
    load: async (context: RunContext): Promise<ReadResult | undefined> =>
      cacheable ? loadLog(path, inputs, context) : undefined,

    save: async (result: ReadResult, context: RunContext): Promise<void> => {
      if (!cacheable) {
        result.intake.warnings.push(
          "What is read from a pipe, the standard input or an index is not kept in the cache.",
        )
        return
      }
      const now = await findInputs(inputs.map((input) => input.path)).catch(() => [])
      if (now.length !== inputs.length || now.some(({ stamp }, i) => stamp !== inputs[i].stamp)) {
        result.intake.warnings.push("The log changed while it was read; it was not kept in the cache.")
        return
      }
      await saveLog(path, inputs, result, context)
    },
  }
}

function sectionsOf({ log, intake }: ReadResult): Section[] {
  const { users, queries, urls, category, categories } = log
  const columns: Record<string, ArrayBufferView> = {
    user: log.user,
    query: log.query,
    time: log.time,
    rank: log.rank,
    url: log.url,
    event: log.event,
    line: log.line,
    "users.arena": users.parts().arena,
    "users.offsets": users.parts().offsets,
    "queries.arena": queries.parts().arena,
    "queries.offsets": queries.parts().offsets,
    "urls.arena": urls.parts().arena,
    "urls.offsets": urls.parts().offsets,
    ...(category && { category }),
    ...(categories && {
      "categories.arena": categories.parts().arena,
      "categories.offsets": categories.parts().offsets,
    }),
    "rejects.line": intake.rejects.line,
    "rejects.reason": intake.rejects.reason,
  }
  return Object.entries(columns).map(([name, { buffer, byteOffset, byteLength }]) => {
    return { name, bytes: new Uint8Array(buffer, byteOffset, byteLength) }
  })
}

async function saveLog(path: string, inputs: InputFile[], result: ReadResult, context: RunContext): Promise<void> {
  const { rejects: _rejects, cached: _cached, ...intake } = result.intake
  const { unit, rows, events } = result.log
  const facts: Facts = { stamps: inputs.map(({ stamp }) => stamp ?? ""), intake, unit, rows, events }
  await saveKept(path, encodeSections(sectionsOf(result), { ...format, facts }), {
    progress: (done, total) => yieldAndReport(context, { stage: "caching", done, total }),
  })
}

async function loadLog(path: string, inputs: InputFile[], context: RunContext): Promise<ReadResult | undefined> {
  const kept = await loadKept(path, format, {
    progress: (done, total) => yieldAndReport(context, { stage: "opening cache", done, total }),
    isWanted: (facts) => madeFrom(facts as Facts, inputs), // the checksum matches, so this is what was saved
  })
  return kept && restore(kept.facts as Facts, kept.sections)
}

/** Puts the sections back into a log. Their checksums match, so they are what `saveLog` wrote. */
function restore(facts: Facts, sections: Map<string, SharedArrayBuffer>): ReadResult {
  const take = (name: string) => sections.get(name) ?? new SharedArrayBuffer(0)
  const dictionary = (name: string) =>
    dictionaryFrom({
      arena: new Uint8Array(take(`${name}.arena`)),
      offsets: new Uint32Array(take(`${name}.offsets`)),
    })
  const log: SearchLog = {
    unit: facts.unit,
    rows: facts.rows,
    events: facts.events,
    users: dictionary("users"),
    queries: dictionary("queries"),
    urls: dictionary("urls"),
    user: new Int32Array(take("user")),
    query: new Int32Array(take("query")),
    time: new Int32Array(take("time")),
    rank: new Uint16Array(take("rank")),
    url: new Int32Array(take("url")),
    event: new Int32Array(take("event")),
    line: new Uint32Array(take("line")),
    ...(sections.has("category") && {
      category: new Int32Array(take("category")),
      categories: dictionary("categories"),
    }),
  }
  const rejects = { line: new Uint32Array(take("rejects.line")), reason: new Uint8Array(take("rejects.reason")) }
  return { log, intake: { ...facts.intake, rejects, cached: true } }
}

async function madeFrom({ stamps, intake }: Facts, inputs: InputFile[]): Promise<boolean> {
  if (inputs.every(({ stamp }, i) => stamp === stamps[i])) return true
  const { files } = intake
  if (inputs.some(({ size }, i) => size !== files[i].bytes)) return false
  for (const [i, input] of inputs.entries()) if ((await fingerprintFile(input)) !== files[i].sha256) return false
  return true
}
