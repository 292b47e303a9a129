import { expect } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import type { ErrorCode } from "#dist/kernels/error.js"
import { type ImportOptions, importTaxonomy } from "#dist/taxonomy/load/import-taxonomy.js"
import { type Taxonomy, taxonomyFrom } from "#dist/taxonomy/taxonomy.js"

export const importFrom = (paths: string | readonly string[], options: ImportOptions = {}) =>
  importTaxonomy(typeof paths === "string" ? [paths] : paths, options, createContext({ workers: 1 }))

/** The taxonomy in these files. */
export async function readFrom(paths: string | readonly string[], options: ImportOptions = {}): Promise<Taxonomy> {
  return taxonomyFrom((await importFrom(paths, options)).columns)
}

/** Every topic as `path:support`, in the order of ids, the root first. */
export function listTopics({ size, path, support }: Taxonomy): string[] {
  return Array.from({ length: size }, (_, id) => `${path(id)}:${support[id]}`)
}

/** Expects that reading fails at this line of this file, with this code and message. */
export async function expectBroken(
  reading: Promise<unknown>,
  wanted: { file: string; line?: number; code?: ErrorCode; says: RegExp },
): Promise<void> {
  const { file, line, code = "taxonomy-broken", says } = wanted
  await expect(reading).rejects.toMatchObject({
    name: "QueryveilError",
    code,
    fields: line === undefined ? { file } : { file, line },
    message: expect.stringMatching(says),
  })
}
