import { createHash } from "node:crypto"
import type { RunContext } from "../../kernels/context.ts"
import { type Dictionary, dictionaryOf, hashBytes, Interner } from "../../kernels/dictionary.ts"
import { findIdentifiers } from "../../text/identifiers/find-identifiers.ts"
import { noKinds, parseKinds } from "../../text/identifiers/kinds.ts"
import { normaliseQuery } from "../../text/normalise.ts"
import { openWordNet } from "../../wordnet/open-wordnet.ts"

/** Public keys, chosen without looking at the log. */
export interface Pool {
  /** As the guarantee names it. */
  name: string
  texts: Dictionary
}

/**
 * `wordnet`: its lemmas; else the lines of a list, each as a query would be read. Texts with an identifier of the scrubbed
 * kinds are left out, as they are of the log.
 */
export async function openPool(given: string | undefined, scrub: string, context: RunContext): Promise<Pool> {
  if (given === undefined) return { name: "none", texts: dictionaryOf([]) }
  if (given === "wordnet") {
    const { lemmas } = await openWordNet({}, context)
    return { name: given, texts: await withoutIdentifiers(lemmas, scrub, context) }
  }
  const { name, texts } = listPool(given.split("\n").map(normaliseQuery))
  return { name, texts: await withoutIdentifiers(texts, scrub, context) }
}

async function withoutIdentifiers(texts: Dictionary, scrub: string, context: RunContext): Promise<Dictionary> {
  const found = await findIdentifiers(texts, parseKinds(scrub), context)
  if (found.every((kinds) => kinds === noKinds)) return texts
  return dictionaryOf(
    Array.from(found.keys(), (text) => (found[text] === noKinds ? texts.text(text) : "")).filter(Boolean),
  )
}

/** A list of urls is taken as it is. */
export function openUrls(given: string | undefined): Pool {
  return given === undefined ? { name: "none", texts: dictionaryOf([]) } : listPool(given.split("\n"))
}

function listPool(lines: readonly string[]): Pool {
  const texts = [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ""))].sort()
  const digest = createHash("sha256").update(texts.join("\n")).digest("hex")
  return { name: `sha256:${digest}`, texts: dictionaryOf(texts) }
}

/** By text of the pool: its id in a dictionary of the log, or -1. */
export function findInLog({ texts }: Pool, dictionary: Dictionary): Int32Array {
  return Int32Array.from({ length: texts.size }, (_, text) => dictionary.findBytes(texts.bytes(text)))
}

/** A dictionary of some texts of two: those of `first` by id, then those of `second`; and each one's new id. */
export function joinTexts(
  first: { texts: Dictionary; ids: Int32Array },
  second: { texts: Dictionary; ids: Int32Array },
): { texts: Dictionary; ids: Int32Array } {
  const interner = new Interner({ expected: first.ids.length + second.ids.length })
  const ids: number[] = []
  for (const { texts, ids: held } of [first, second]) {
    for (const id of held) {
      const bytes = texts.bytes(id)
      ids.push(interner.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length, interner.seed)))
    }
  }
  return { texts: interner.freeze(), ids: Int32Array.from(ids) }
}
