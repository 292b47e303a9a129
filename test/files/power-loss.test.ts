import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { sweepLeftovers } from "#dist/files/partial-names.js"
import { writeFileWhole } from "#dist/files/write-file.js"
import { writeFolder } from "#dist/files/write-folder.js"
import { seededRandom } from "#dist/kernels/random.js"
import { emptyStore } from "#dist/personal/personal-store.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { changeLedger, readLedger } from "#dist/release/ledger-file.js"
import { readRelease } from "#dist/release/read-release.js"
import { sampleTree } from "../personal/sample-tree.ts"
import { aolText, smallTown } from "../support/aol-log.ts"
import { DiskTape } from "../support/disk-tape.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()

function emptyFolder(): string {
  const folder = fresh("disk")
  mkdirSync(folder)
  return folder
}

/**
 * Tries what the disk may hold after a power loss at any moment. `look` gets the folder and the labels noted by then.
 */
async function afterPowerLoss(
  tape: DiskTape,
  look: (folder: string, notes: readonly string[]) => Promise<void> | void,
  { samples = 8 } = {},
): Promise<number> {
  expect(tape.length).toBeGreaterThan(2)
  let states = 0
  for (const state of tape.states({ random: seededRandom(20_261_116), samples })) {
    const folder = emptyFolder()
    state.restore(folder)
    restartMachine(folder)
    await look(folder, state.notes)
    states++
  }
  return states
}

/** Marks unfinished files as those of a process that ran before the machine was restarted. */
function restartMachine(folder: string): void {
  for (const name of readdirSync(folder)) {
    const other = name.replace(/(\.(?:partial|replaced)-[^-]+)-[0-9a-z]+-/, "$1-00000000-")
    if (other !== name) renameSync(join(folder, name), join(folder, other))
  }
}

const large = (letter: string) => letter.repeat(3 * 4096 + 17)

test("the tape notices a rename without a sync of the file, and one without a sync of its folder", async () => {
  const folder = emptyFolder()
  const tape = new DiskTape(folder)
  await tape.record(async () => {
    const { open, rename } = await import("node:fs/promises")
    const file = await open(join(folder, "x.tmp"), "wx")
    await file.write(Buffer.from(large("n")))
    await file.close()
    await rename(join(folder, "x.tmp"), join(folder, "x"))
    tape.note("done")
  })
  const found = new Set<string>()
  await afterPowerLoss(tape, (at, notes) => {
    const path = join(at, "x")
    if (notes.includes("done") && !existsSync(path)) found.add("lost")
    if (existsSync(path) && readFileSync(path, "utf8") !== large("n")) found.add("torn")
  })
  expect([...found].sort()).toEqual(["lost", "torn"])
})

test.each([true, false])(
  "a file exists whole or not at all, and exists once its write was reported (replace: %s)",
  async (replace) => {
    const folder = emptyFolder()
    if (replace) writeFileSync(join(folder, "x"), large("o"))
    const tape = new DiskTape(folder)
    await tape.record(() => writeFileWhole(join(folder, "x"), large("n"), { mode: 0o600, replace }))
    tape.note("done")
    await afterPowerLoss(tape, (at, notes) => {
      const found = existsSync(join(at, "x")) ? readFileSync(join(at, "x"), "utf8") : undefined
      const allowed = notes.includes("done") ? [large("n")] : [replace ? large("o") : undefined, large("n")]
      expect(allowed).toContain(found)
    })
  },
)

test.each([true, false])(
  "a folder exists whole or not at all, and an old one is restored (replace: %s)",
  async (replace) => {
    const folder = emptyFolder()
    const target = join(folder, "out")
    if (replace) {
      mkdirSync(target)
      for (const name of ["a", "b"]) writeFileSync(join(target, name), large("o"))
    }
    const tape = new DiskTape(folder)
    await tape.record(() =>
      writeFolder(target, { mode: 0o700, replace }, async (temporary) => {
        const { mkdir, writeFile } = await import("node:fs/promises")
        await writeFile(join(temporary, "a"), large("n"))
        await mkdir(join(temporary, "in"))
        await writeFile(join(temporary, "in", "b"), large("n"))
      }),
    )
    tape.note("done")
    await afterPowerLoss(tape, async (at, notes) => {
      const out = join(at, "out")
      await sweepLeftovers(out)
      const read = (name: string) => (existsSync(join(out, name)) ? readFileSync(join(out, name), "utf8") : "")
      const found = [existsSync(out), read("a"), read("b"), read("in/b")]
      const made = [true, large("n"), "", large("n")]
      const before = replace ? [true, large("o"), large("o"), ""] : [false, "", "", ""]
      expect(notes.includes("done") ? [made] : [before, made]).toContainEqual(found)
    })
  },
)

test("a ledger never loses what was paid, and is never half written", async () => {
  const folder = emptyFolder()
  const file = join(folder, "ledger.json")
  const tape = new DiskTape(folder)
  await tape.record(async () => {
    for (const release of ["one", "two", "three"]) {
      await changeLedger(file, (ledger) => {
        const account = ledger.logs.log ?? { budget: "9", deltaBudget: "1", spent: [] }
        const paid = { release, epsilon: "1", delta: "0", created: "2026-01-01", unit: "user" as const }
        return {
          ledger: { ...ledger, logs: { log: { ...account, spent: [...account.spent, paid] } } },
          result: undefined,
        }
      })
      tape.note(release)
    }
  })
  await afterPowerLoss(tape, async (at, notes) => {
    const spent = (await readLedger(join(at, "ledger.json"))).logs.log?.spent.map(({ release }) => release) ?? []
    expect(["one", "two", "three"].slice(0, spent.length)).toEqual(spent)
    expect(spent.length).toBeGreaterThanOrEqual(notes.length)
  })
})

test("a profile is the old one or the new one, and opens", async () => {
  const folder = emptyFolder()
  const taxonomy = await sampleTree().open()
  const passphrase = "a passphrase of some length"
  const made = await ProfileFile.create(join(folder, "mine.profile"), { passphrase, store: emptyStore(taxonomy) })
  const before = readFileSync(made.path)
  const tape = new DiskTape(folder)
  await tape.record(() => made.save())
  tape.note("done")
  const after = readFileSync(made.path)
  await afterPowerLoss(tape, (at, notes) => {
    const found = readFileSync(join(at, "mine.profile"))
    expect(found.equals(after) || (!notes.includes("done") && found.equals(before))).toBe(true)
  })
  await expect(ProfileFile.open(made.path, { passphrase, taxonomy })).resolves.toBeInstanceOf(ProfileFile)
})

test("a release exists whole, with its receipt, or not at all, and exists once it was reported", async () => {
  const log = write(aolText(smallTown()), "log.tsv")
  const folder = emptyFolder()
  const tape = new DiskTape(folder)
  await tape.record(() => publish(log, join(folder, "out"), {}, { audit: join(folder, "audit") }))
  tape.note("done")
  const files = readdirSync(join(folder, "out"))
  const states = await afterPowerLoss(
    tape,
    async (at, notes) => {
      const out = join(at, "out")
      if (!existsSync(out)) return expect(notes).toEqual([])
      expect(readdirSync(out).sort()).toEqual([...files].sort())
      await readRelease(out) // checks every digest
      expect(existsSync(join(at, "out.receipt.json"))).toBe(true)
      expect(existsSync(join(at, "audit", "audit.json"))).toBe(true)
    },
    { samples: 4 },
  )
  expect(states).toBeGreaterThan(100)
})
