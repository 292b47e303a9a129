import { mkdir, readdir, rm, rmdir } from "node:fs/promises"
import { join } from "node:path"
import type { Command } from "commander"
import { Type } from "#typebox"
import { outputOption } from "../../app/options.ts"
import { reserveFolder } from "../../files/reserve.ts"
import { writeError } from "../../files/write-error.ts"
import { writeFileWhole } from "../../files/write-file.ts"
import { enterStep } from "../../kernels/context.ts"
import { tableOf } from "../../kernels/table.ts"
import { refusePrivate } from "../../release/write-release.ts"
import { defineCommand } from "../define-command.ts"
import { runDemo } from "../demo/run-demo.ts"
import { textTable } from "../print.ts"
import type { Session } from "../session.ts"

/**
 * `demo`: from a synthetic log and the attack on it to all releases, a frontier, a stream and an exposure, as one
 * folder of pages.
 */
export function demoCommand(): Command {
  return defineCommand({
    name: "demo",
    summary: "release a synthetic log by every method; verify, attack, measure and compare the releases on one page",
    flags: Type.Object({
      output: outputOption("dir", "write the demo to this folder (default demo)"),
      rows: Type.Integer({
        default: 200_000,
        minimum: 2000,
        maximum: 10_000_000,
        description: "make a log of this many rows",
      }),
    }),
    run: (session, { output = "demo", rows = 200_000 }) => run(session, output, rows),
  })
}

const studioLine = "To do a publisher's whole job on a page, by eye: queryveil studio --demo"

/** Marks a folder as ours to replace: a file name that nobody else uses. */
const mark = "queryveil-demo.json"

/** Makes the demo. An interrupted demo leaves nothing behind. */
async function run(session: Session, folder: string, rows: number): Promise<number> {
  await clearFolder(folder)
  // Half of the searches follow from the one before. That is enough order for suggestions to distinguish releases, and
  // the log keeps its shape (docs/methods/synth.md).
  const synth = { rows, users: Math.ceil(rows / 50), seed: 2006, secrets: 0.001, follow: 0.5 }
  try {
    await writeFileWhole(join(folder, mark), `${JSON.stringify(synth, null, 2)}\n`, { mode: 0o644 })
    const { notify: _notify, ...quiet } = session.context // otherwise each part would report how the log is read
    const { index, releases } = await runDemo(folder, { synth, enterStep: (step) => enterStep(quiet, step) })
    session.answer("demo", { folder, index })
    const rows = releases.map(({ promise, attacked, manifest }) => [manifest.method, promise.kept, attacked.state])
    session.say(`${textTable(tableOf(["method", "promise kept", "attacks"], rows))}\n\nOpen ${index}\n${studioLine}`)
    return 0
  } catch (error) {
    await emptyFolder(folder)
    await rmdir(folder).catch(() => {}) // fails if it is the working directory
    throw error
  }
}

async function clearFolder(folder: string): Promise<void> {
  await refusePrivate(folder)
  await reserveFolder(folder, { mark, force: true })
  try {
    await mkdir(folder, { recursive: true })
    await emptyFolder(folder)
  } catch (error) {
    throw writeError(folder, error)
  }
}

/** Removes the mark last: after an interruption the folder is still ours to replace. */
async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of [...names.filter((name) => name !== mark), mark])
    await rm(join(folder, name), { recursive: true, force: true })
}
