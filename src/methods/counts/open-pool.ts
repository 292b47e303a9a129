import { createHash } from "node:crypto"
import type { RunContext } from "../../kernels/context.ts"
import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { parseExempt } from "../../text/identifiers/exempt-queries.ts"
import { findIdentifiers } from "../../text/identifiers/find-identifiers.ts"
import { noKinds, parseKinds } from "../../text/identifiers/kinds.ts"
import { openWordNet } from "../../wordnet/open-wordnet.ts"
import type { CountsOptions } from "./options.ts"
import type { Pool } from "./pool.ts"
import { readPoolText } from "./pool-text.ts"

/** The options that choose the pool and how it is read. */
export type PoolChoice = Pick<CountsOptions, "pool" | "poolNgrams" | "poolFrequencies" | "scrub" | "scrubExempt"> &
  Partial<Pick<CountsOptions, "poolMinFrequency">>

/**
 * Opens a pool. `wordnet` gives the lemmas of WordNet, which have no frequencies. Any other value gives the queries of
 * a public file (`readPoolText`). Texts with an identifier of the scrubbed kinds are left out, as they are from the
 * log.
 */
export async function openPool(choice: PoolChoice, context: RunContext): Promise<Pool> {
  const { pool, poolNgrams: ngrams, poolMinFrequency: minFrequency = 1, poolFrequencies } = choice
  if (pool === undefined) return { name: "none", texts: dictionaryOf([]) }
  if (pool === "wordnet") {
    const { lemmas } = await openWordNet({}, context)
    return { name: pool, texts: await withoutIdentifiers(lemmas, choice, context) }
  }
  const read = readPoolText(pool, { ngrams, minFrequency })
  const listed = [...read.keys()].sort()
  const texts = await withoutIdentifiers(dictionaryOf(listed), choice, context)
  if (poolFrequencies !== "add") return { name: digestOf(listed), texts }
  const name = digestOf(listed.map((text) => `${text}\t${read.get(text) ?? 0}`))
  const frequencies = Float64Array.from({ length: texts.size }, (_, text) => read.get(texts.text(text)) ?? 0)
  return { name, texts, frequencies }
}

/** Refuses options about reading a pool if no file is given to read. */
export function checkPool({
  pool,
  poolNgrams,
  poolMinFrequency,
}: Pick<CountsOptions, "pool" | "poolNgrams" | "poolMinFrequency">): void {
  if (pool !== undefined && pool !== "wordnet") return
  const flag = poolNgrams !== undefined ? "--pool-ngrams" : poolMinFrequency > 1 ? "--pool-min-frequency" : undefined
  if (flag !== undefined)
    throw new QueryveilError("usage", `${flag} is for a --pool of public text. Name its file, or leave ${flag} out.`, {
      flag,
    })
}

async function withoutIdentifiers(
  texts: Dictionary,
  { scrub = "default", scrubExempt }: Pick<CountsOptions, "scrub" | "scrubExempt">,
  context: RunContext,
): Promise<Dictionary> {
  const found = await findIdentifiers(texts, parseKinds(scrub), context)
  for (const exempt of parseExempt(scrubExempt)) {
    const text = texts.find(exempt)
    if (text >= 0) found[text] = noKinds
  }
  if (found.every((kinds) => kinds === noKinds)) return texts
  return dictionaryOf(
    Array.from(found.keys(), (text) => (found[text] === noKinds ? texts.text(text) : "")).filter(Boolean),
  )
}

/**
 * Opens a list of urls. A line without tabs is used unchanged. In a line with tabs, as in a released table of clicks,
 * the field that is a url is used.
 */
export function openUrls(given: string | undefined): Pool {
  if (given === undefined) return { name: "none", texts: dictionaryOf([]) }
  const urlOf = (line: string) => {
    const fields = line.trim().split("\t")
    return fields.length === 1 ? fields[0] : (fields.find((field) => /^[a-z][a-z0-9+.-]*:\/\//i.test(field)) ?? "")
  }
  const texts = [...new Set(given.split("\n").map(urlOf))].filter((url) => url !== "").sort()
  return { name: digestOf(texts), texts: dictionaryOf(texts) }
}

const digestOf = (lines: readonly string[]) => `sha256:${createHash("sha256").update(lines.join("\n")).digest("hex")}`
