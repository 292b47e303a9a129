import { readdir, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { sweepLeftovers } from "./partial-names.ts"
import { writeError } from "./write-error.ts"

/** A path next to a folder, however the folder is written: `out/` and `out/.` mean `out`. */
export function besidePath(folder: string, ending: string): string {
  const plain = folder.replace(/\/+$/, "")
  return `${["", ".", ".."].includes(basename(plain)) ? resolve(folder) : plain}${ending}`
}

/** Refuses a private output inside a release, because it would be published with it. */
export async function refuseInRelease(path: string, options: { mark: string }): Promise<void> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const found = await stat(join(folder, options.mark)).catch(() => undefined)
    if (found?.isFile()) {
      throw new QueryveilError(
        "output-exists",
        `${path}: is inside a release (${folder}) and would be published with it. Choose another place.`,
        { file: path },
      )
    }
    if (folder === dirname(folder)) return
  }
}

/** Refuses an output that is one of the input files, because it would replace the log. */
export async function refuseInput(path: string, inputs: readonly { path: string }[]): Promise<void> {
  const target = await stat(path).catch(() => undefined)
  if (target === undefined) return
  for (const input of inputs) {
    const found = await stat(input.path).catch(() => undefined)
    if (found?.isFile() && found.dev === target.dev && found.ino === target.ino) {
      throw new QueryveilError("output-exists", `${path}: is a file of the log. Choose another name for the output.`, {
        file: path,
      })
    }
  }
}

/**
 * Checks, before any work is done, that a folder may be written. It must not exist, unless `force` is set and it is
 * empty or contains `mark`, which shows that queryveil wrote it. If `force` is undefined, the command has no such flag,
 * and the message does not mention it. Cleans up what a killed run on this machine left.
 */
export async function reserveFolder(folder: string, options: { mark: string; force?: boolean }): Promise<void> {
  const target = resolve(folder)
  await sweepLeftovers(target)
  let names: string[]
  try {
    names = await readdir(target)
  } catch (error) {
    if (systemCode(error) === "ENOENT") return
    if (systemCode(error) === "ENOTDIR") {
      throw new QueryveilError("output-exists", `${folder}: is a file. Choose another name for the folder.`, {
        file: folder,
      })
    }
    throw writeError(folder, error)
  }
  if (!options.force) {
    const replace = options.force === undefined ? "" : ", or replace it with --force"
    throw new QueryveilError("output-exists", `${folder}: already exists. Choose another folder${replace}.`, {
      file: folder,
    })
  }
  if (names.length > 0 && !names.includes(options.mark)) {
    throw new QueryveilError(
      "output-exists",
      `${folder}: has no ${options.mark}, so it is not replaced, even with --force. Choose another folder.`,
      { file: folder },
    )
  }
}

/** `reserveFolder` for a file: it must not exist unless `force` is set. A pipe or a device may always be written. */
export async function reserveFile(path: string, options: { force: boolean }): Promise<void> {
  await sweepLeftovers(path)
  const found = await stat(path).catch(() => undefined)
  const isTaken = found?.isDirectory() || (found?.isFile() && !options.force)
  if (!isTaken) return
  const advice = found?.isDirectory() ? "is a folder. Choose" : "already exists. Replace it with --force, or choose"
  throw new QueryveilError("output-exists", `${path}: ${advice} another name for the file.`, { file: path })
}
