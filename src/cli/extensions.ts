import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { QueryveilError } from "../kernels/error.ts"
import { importModule } from "../kernels/parallel.ts"

const flag = "--extend"
const loaded: string[] = []

/** The flags with which a command loads the extensions of this run. */
export const extensionWords = (): string[] => loaded.flatMap((file) => [flag, file])

/** Removes every `--extend FILE` and `--extend=FILE` from a command line, wherever it is. */
export function takeExtensions(words: readonly string[]): { extensions: string[]; rest: string[] } {
  const extensions: string[] = []
  const rest: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ""
    if (word === "--") return { extensions, rest: [...rest, ...words.slice(i)] }
    const file = word === flag ? words[++i] : word.startsWith(`${flag}=`) ? word.slice(flag.length + 1) : undefined
    if (file !== undefined) extensions.push(file)
    else if (word === flag) throw new QueryveilError("usage", `${flag} needs a file.`, { flag })
    else rest.push(word)
  }
  return { extensions, rest }
}

/** Imports a module that registers extensions. Its path is relative to the working directory. */
export async function loadExtension(file: string): Promise<void> {
  const path = resolve(file)
  if (!existsSync(path)) throw new QueryveilError("input-missing", `${file}: there is no such file.`, { file, flag })
  try {
    await importModule(pathToFileURL(path).href)
    loaded.push(file)
  } catch (cause) {
    if (cause instanceof QueryveilError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new QueryveilError("extension-broken", `${file}: the extension cannot be loaded: ${why}`, {
      file,
      flag,
      cause,
    })
  }
}
