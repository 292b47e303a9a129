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

/** `demo`: a synthetic log, from the raw attack to all releases, a frontier, a stream and an exposure, in one folder of pages. */
export function demoCommand(): Command {
  return defineCommand({
    name: "demo",
    summary: "release a synthetic log by every method, verify, attack, measure and compare, and show it on a page",
    flags: Type.Object({
      output: outputOption("dir", "write the demo to this folder (default demo)"),
      rows: Type.Integer({ default: 200_000, minimum: 2000, maximum: 10_000_000, description: "rows of the log" }),
    }),
    run: (session, { output = "demo", rows = 200_000 }) => run(session, output, rows),
  })
}

/** Shows that a folder is ours to replace: a name that nobody else gives. */
const mark = "queryveil-demo.json"

/** A demo that is interrupted leaves nothing. */
async function run(session: Session, folder: string, rows: number): Promise<number> {
  await clearFolder(folder)
  // Half follows: order enough for suggestions to tell releases apart, and the shape of the log stays (docs/methods/synth.md).
  const synth = { rows, users: Math.ceil(rows / 50), seed: 2006, secrets: 0.001, follow: 0.5 }
  try {
    await writeFileWhole(join(folder, mark), `${JSON.stringify(synth, null, 2)}\n`, { mode: 0o644 })
    const { notify: _notify, ...quiet } = session.context // each part would say how the log is read
    const { index, releases } = await runDemo(folder, { synth, enterStep: (step) => enterStep(quiet, step) })
    session.answer("demo", { folder, index })
    const rows = releases.map(({ promise, attacked, manifest }) => [manifest.method, promise.kept, attacked.state])
    session.say(`${textTable(tableOf(["method", "promise kept", "attacks"], rows))}\n\nOpen ${index}`)
    return 0
  } catch (error) {
    await emptyFolder(folder)
    await rmdir(folder).catch(() => {}) // where one stands cannot be removed
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

/** The mark goes last: what is killed meanwhile is still ours to replace. */
async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of [...names.filter((name) => name !== mark), mark])
    await rm(join(folder, name), { recursive: true, force: true })
}
