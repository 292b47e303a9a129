import { writeFileWhole } from "../../files/write-file.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { type RecordEntry, readRecord } from "../../project/record-chain.ts"
import { parseExempt } from "../../text/identifiers/exempt-queries.ts"
import { clearFrom, isClear } from "./clear-from.ts"
import type { ExposureFile, QuerySample } from "./jobs/inspect-job.ts"
import { logStamp, type ProjectView, readExempt } from "./jobs/project-view.ts"
import { ageOf, readProduct } from "./products.ts"
import type { Exposure } from "./studio-schema.ts"

/** The exposure screen. The text of a sample is in it only if enough users issued the query. */
export async function describeExposure(view: ProjectView): Promise<Exposure> {
  const file = await readExposure(view)
  const exempt = await exemptQueries(view)
  const { stale } = ageOf(file, logStamp(view))
  return {
    stale,
    sentence: file.sentence,
    clearFrom,
    inspection: file.inspection,
    kinds: file.kinds.map(({ samples, ...kind }) => ({
      ...kind,
      samples: samples.map(({ text, ...sample }) => ({
        ...sample,
        ...(isClear(view, sample.users) && { text }),
        exempt: exempt.has(text),
      })),
    })),
  }
}

/** The texts of samples. The caller records that they were shown. */
export async function unmaskSamples(
  view: ProjectView,
  ids: readonly number[],
): Promise<{ stamp: string; samples: { id: number; text: string }[] }> {
  const { stamp } = await readExposure(view)
  const samples = await findSamples(view, ids)
  return { stamp, samples: samples.map(({ id, text }) => ({ id, text })) }
}

/** Refuses samples whose text nobody has seen: it was neither shown in clear nor unmasked. */
export async function refuseUnseen(view: ProjectView, ids: readonly number[]): Promise<void> {
  const { entries } = await readRecord(view.paths.record)
  const { stamp } = await readExposure(view)
  // Numbers of samples belong to one reading of one log.
  const isOfThis = ({ kind, facts }: RecordEntry) => kind === "unmasked" && facts.stamp === stamp
  const unmasked = new Set(entries.filter(isOfThis).flatMap(({ facts }) => [facts.ids].flat()))
  for (const { id, users } of await findSamples(view, ids)) {
    if (!isClear(view, users) && !unmasked.has(id))
      throw new QueryveilError("usage", "Look at the text first: unmask it, then decide whether it is exempt.")
  }
}

/** Adds samples to the exemption list, or takes them from it. Returns how many queries it has then. */
export async function changeExempt(
  view: ProjectView,
  { add, remove }: { add: readonly number[]; remove: readonly number[] },
): Promise<number> {
  const list = new Set(await exemptQueries(view))
  for (const { text } of await findSamples(view, add)) {
    if (/[\0\uFFFD]/.test(text))
      throw new QueryveilError("option-value", "This text has characters that a list of exempt queries cannot hold.")
    list.add(text)
  }
  for (const { text } of await findSamples(view, remove)) list.delete(text)
  const lines = [...list].sort().map((text) => (text.startsWith("#") ? ` ${text}\n` : `${text}\n`))
  await writeFileWhole(view.paths.exempt, lines.join(""), { mode: 0o600 })
  return list.size
}

/** The queries of the exemption list. */
export async function exemptQueries(view: ProjectView): Promise<ReadonlySet<string>> {
  const text = await readExempt(view)
  return text === "" ? new Set() : parseExempt(text)
}

async function readExposure(view: ProjectView): Promise<ExposureFile> {
  const file = await readProduct<ExposureFile>(view.paths.exposure)
  if (file !== undefined) return file
  throw new QueryveilError("unknown-name", "The log was not inspected yet.")
}

async function findSamples(view: ProjectView, ids: readonly number[]): Promise<QuerySample[]> {
  if (ids.length === 0) return []
  const { kinds } = await readExposure(view)
  const samples = new Map(kinds.flatMap((kind) => kind.samples.map((sample) => [sample.id, sample] as const)))
  return ids.map((id) => {
    const sample = samples.get(id)
    if (sample === undefined) throw new QueryveilError("unknown-name", "There is no such sample.")
    return sample
  })
}
