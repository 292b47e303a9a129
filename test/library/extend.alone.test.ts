import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import {
  anonymize,
  attack,
  createContext,
  measure,
  openDraft,
  type ProbeSubject,
  type Release,
  readLog,
} from "queryveil"
import { registerAttack, registerFormat, registerMeasure, Type } from "queryveil/extend"
import { describe, expect, expectTypeOf, test } from "vitest"
import { attacks } from "#dist/attacks/registry.js"
import { measures } from "#dist/measures/registry.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const examples = fileURLToPath(new URL("../../examples", import.meta.url))
const extension = (name: string) => `${examples}/extensions/${name}`
await import(extension("pipe-format.mjs"))

const shout = {
  name: "shout",
  summary: "counts the rows",
  looksAt: "any" as const,
  options: Type.Object({ shoutTimes: Type.Integer({ default: 2, minimum: 1 }) }),
  applies: () => true as const,
  async run({ log }: ProbeSubject<Release>, { shoutTimes }: { shoutTimes: number }) {
    return [{ score: "shout", value: log.rows * shoutTimes, better: "higher" as const }]
  },
}
registerAttack(shout)
registerMeasure({ ...shout, name: "shout-measure" })

declare module "queryveil/extend" {
  interface ExtensionFormats {
    pipe: true
  }
  interface ExtensionAttacks {
    shout: typeof shout
  }
  interface ExtensionMeasures {
    "shout-measure": typeof shout
  }
}

/** Never called. The build fails if one of the lines that expect an error compiles. */
async function mistakes(subject: ProbeSubject<Release>): Promise<void> {
  await readLog("x", { format: "pipe" })
  // @ts-expect-error there is no such format
  await readLog("x", { format: "pip" })
  await attack(subject, { only: ["shout", "profile"], values: { shoutTimes: 3, profileTargets: 3 } })
  // @ts-expect-error there is no such attack
  await attack(subject, { only: ["shuot"] })
  // @ts-expect-error a number is wanted
  await attack(subject, { values: { shoutTimes: "twice" } })
  // @ts-expect-error an attack is no measure
  await measure(subject, { only: ["shout"] })
  registerAttack({
    name: "inferred",
    summary: "",
    options: Type.Object({ limit: Type.Integer() }),
    applies: ({ release }, { limit }) => (release.kind === "rows" ? true : limit.toFixed()),
    // @ts-expect-error the options come from the schema
    run: async (_subject, { limits }) => [{ name: String(limits), value: 1, better: "lower" }],
  })
}

test("names of extensions are typed, and mistakes do not compile", () => {
  expectTypeOf(mistakes).toBeFunction() // the test is that this file compiles
})

const pipeLine = (i: number) => {
  const time = new Date(1_772_400_000_000 + i * 1000).toISOString()
  return `${time}|visitor-${i % 500}|${i % 5 === 0 ? "view" : "search"}|item number ${i % 900}`
}

describe("a registered format", () => {
  const path = write(Array.from({ length: 150_000 }, (_, i) => `${pipeLine(i)}\n`).join(""))

  test.each([1, 2])("is recognised, and parsed on %i threads", async (workers) => {
    const { log, intake } = await readLog(path, {}, createContext({ workers }))
    expect(intake).toMatchObject({ format: "pipe", rejected: {} })
    expect([log.rows, log.users.size]).toEqual([120_000, 400])
  })

  test("is read by its name, and counts what is not a record", async () => {
    const small = write(`no record\n${pipeLine(1)}\n`)
    const { log, intake } = await readLog(small, { format: "pipe" })
    expect([log.rows, intake.rejected]).toEqual([1, { syntax: 1 }])
    expect(intake.read).toMatchObject([{ format: "pipe", found: "known" }])
  })

  test("is not kept in a cache, which would not know that it changed", async () => {
    const cache = fresh()
    const small = write(`${pipeLine(1)}\n`)
    expect((await readLog(small, { cache })).intake.warnings.join()).toMatch(/not kept in the cache/)
    expect((await readLog(small, { cache })).intake.cached).toBe(false)
  })

  test("cannot take an existing name", () => {
    const format = { module: import.meta.url, columns: {}, converter: () => () => [] }
    for (const name of ["aol", "pipe"])
      expect(() => registerFormat({ ...format, name })).toThrow(expect.objectContaining({ code: "extension-name" }))
  })
})

describe("a registered attack or measure", () => {
  const log = readLog(write(aolText(smallTown()))).then((read) => read.log)
  const subject = log.then(async (own) => ({
    release: openDraft(await anonymize(own, { method: "equality", k: 2 })),
    log: own,
  }))

  test("runs alone by its name, with its options", async () => {
    const { rows } = await log
    const outcome = {
      probe: "shout",
      scores: [{ probe: "shout", score: "shout", name: "shout", value: 3 * rows, better: "higher" }],
    }
    expect(await attack(await subject, { only: ["shout"], values: { shoutTimes: 3 } })).toEqual([outcome])
    expect(await measure(await subject, { only: ["shout-measure"] })).toMatchObject([{ probe: "shout-measure" }])
  })

  test("has its options checked", async () => {
    const wrong = attack(await subject, { only: ["shout"], values: { shoutTimes: 0 } })
    await expect(wrong).rejects.toMatchObject({ code: "option-value" })
  })

  test("runs with all others, after them", () => {
    expect([attacks.at(-1)?.name, measures.at(-1)?.name]).toEqual(["shout", "shout-measure"])
    expect(measures.at(0)?.name).toBe("events-kept")
  })
})

describe("--extend", () => {
  test("lets commands read a format", async () => {
    const path = write(Array.from({ length: 100 }, (_, i) => `${pipeLine(i)}\n`).join(""))
    const { code, stdout } = await runCli(
      [...["--extend", extension("pipe-format.mjs")], ...["inspect", path, "--format", "pipe", "--json"]],
      { spawned: true },
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout).size.rows).toBe(80)
  })

  test("adds attacks and their flags, after the command too", async () => {
    const [path, folder] = [write(aolText(smallTown())), fresh()]
    await publish(path, folder, { k: 2 })
    const { stdout } = await runCli(
      [
        ...["attack", folder, "--against", path, "--only", "rare-words", "--rare-word-letters", "3", "--json"],
        `--extend=${extension("rare-words-attack.mjs")}`,
      ],
      { spawned: true },
    )
    expect(JSON.parse(stdout).outcomes).toMatchObject([{ probe: "rare-words" }])
  })

  test.each([
    [["--extend", "no-such-file.mjs", "inspect", "x"], "input-missing"],
    [["--extend", write("not javascript", "broken.mjs"), "inspect", "x"], "extension-broken"],
    [["inspect", "x", "--extend"], "usage"],
  ])("refuses %o", async (args, code) => {
    const { stderr } = await runCli([...args, "--json"].filter((word) => code !== "usage" || word !== "--json"))
    if (code === "usage") expect(stderr).toMatch(/--extend needs a file/)
    else expect(JSON.parse(stderr).error).toMatchObject({ code })
  })
})

describe("the example", () => {
  const programs = readdirSync(examples).filter((name) => /^extend-.*\.mjs$/.test(name))
  test.each(programs)("%s runs", (name) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [name], { cwd: examples, encoding: "utf8" })
    expect([status, stderr]).toEqual([0, ""])
    expect(stdout).not.toBe("")
  })
})
