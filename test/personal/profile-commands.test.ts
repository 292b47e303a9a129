import { chmodSync, existsSync, readFileSync, statSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { type AskOptions, PersonalSearch } from "#dist/personal/personal-search.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { readDocuments } from "#dist/personal/read-documents.js"
import { aolText, marker } from "../support/aol-log.ts"
import { expectDiscreet, expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sampleTree } from "./sample-tree.ts"

const tree = sampleTree()
const searcher = await tree.searcher()
const { taxonomy } = searcher
const { at, fresh, write } = scratchFolder()
const passphrase = `${marker} words`
const words = write(`${passphrase}\nanother line\n`)
const shared = ["--taxonomy", tree.path, "--passphrase-file", words]
const profile = at("mine.profile")

const searches = [
  {
    user: marker,
    query: "eagles",
    time: "2006-03-01 10:00:00",
    rank: 1,
    url: "http://guitar.example/hotel-california",
  },
  { user: marker, query: "figure", time: "2006-03-02 10:00:00" },
  { user: marker, query: `${marker} zzz`, time: "2006-03-02 11:00:00" },
]
const log = write(aolText(searches))
const sensitive = write(JSON.stringify({ "Sports/Ice skating/Figure": 1 }))
const open = () => ProfileFile.open(profile, { passphrase, taxonomy })

beforeAll(async () => {
  const learned = await runCli(["personal", "learn", log, "-o", profile, "--sensitive", sensitive, "--json", ...shared])
  expectDiscreet(learned)
  expect(learned).toMatchObject({ code: 0, stderr: "" })
  expect(JSON.parse(learned.stdout)).toMatchObject({ file: profile, isNew: true, documents: 3, placed: 2, topics: 7 })
})

describe("queryveil personal learn", () => {
  test("makes a profile that only its owner can read, and adds pages to it", async () => {
    expect(statSync(profile).mode & 0o777).toBe(0o600)
    const pages = write(
      [
        JSON.stringify({ time: "2006-03-03T08:00:00Z", title: "Eagles", text: "raptor with talons" }),
        JSON.stringify({ time: 1141372800, query: "piano", url: "https://keys.example/strings" }),
      ].join("\n"),
    )
    const added = await runCli(["personal", "learn", "-o", profile, "--pages", pages, "--json", ...shared])
    expect(JSON.parse(added.stdout)).toMatchObject({ isNew: false, documents: 2, placed: 2 })
    const { store } = await open()
    const found = [...store.interests.days()].flatMap(({ topics }) => topics.map(([topic]) => taxonomy.path(topic)))
    expect(found.sort()).toEqual([
      "Arts/Music/Artists/Eagles",
      "Arts/Music/Instrument/Piano",
      "Science/Birds/Eagles",
      "Sports/Ice skating/Figure",
    ])
    expect([...store.sensitive.topic].map((topic) => taxonomy.path(topic))).toEqual(["Sports/Ice skating/Figure"])
  })

  test("reads a time without a zone as UTC, whatever the machine's zone", async () => {
    const before = process.env.TZ
    process.env.TZ = "America/New_York"
    try {
      const times = ["2006-03-01", "2006-03-01 23:30", "2006-03-01T23:30:00", "2006-03-01T23:30:00-05:00", 1141255800]
      const pages = write(times.map((time) => JSON.stringify({ time, text: "x" })).join("\n"))
      const read = (await readDocuments(pages)).map(({ time }) => new Date(time * 1000).toISOString().slice(0, 16))
      const evening = "2006-03-01T23:30"
      expect(read).toEqual(["2006-03-01T00:00", evening, evening, "2006-03-02T04:30", evening])
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  })

  test("refuses broken pages with their line number, without repeating them", async () => {
    const wrong = ["{", "[]", '{"text":"x"}', `{"time":"${marker}","text":"x"}`, '{"time":1}']
    for (const line of wrong) {
      const reading = readDocuments(write(`{"time":1,"text":"${marker}"}\n${line}\n`))
      await expect(reading).rejects.toMatchObject({ code: "input-rows", fields: { line: 2 } })
      await expect(reading).rejects.not.toThrow(marker)
    }
    const pages = write("{\n")
    const answer = await runCli(["personal", "learn", "-o", fresh(), "--pages", pages, ...shared])
    expectRefused(answer, { code: 1, message: /line 1: is not JSON/ })
  })

  test("refuses topics that are not in the taxonomy, or that overlap", async () => {
    const wrong: [topics: object, message: RegExp][] = [
      [{ "Sports/Chess": 1 }, /no topic "Sports\/Chess"/],
      [{ Sports: 1, "Sports/Ice skating": 1 }, /overlap/],
    ]
    for (const [topics, message] of wrong) {
      const made = fresh()
      const args = ["personal", "learn", log, "-o", made, "--sensitive", write(JSON.stringify(topics)), ...shared]
      expectRefused(await runCli(args), { code: 1, message })
      expect(existsSync(made)).toBe(false)
    }
  })
})

describe("the passphrase", () => {
  test("is asked for, may come in a variable, and is never repeated", async () => {
    const plain = ["personal", "verify", profile, "--taxonomy", tree.path]
    expectRefused(await runCli(plain), { code: 1, message: /--passphrase-file/ })
    const given = await runCli(plain, { shell: `QUERYVEIL_PASSPHRASE='${passphrase}' "$@"` })
    expectDiscreet(given)
    expect(given.code).toBe(0)
  })

  test.skipIf(process.platform === "win32")(
    "in a file that others can read works with a warning, which says how to protect the file",
    async () => {
      const file = write(`${passphrase}\n`)
      const flags = ["--taxonomy", tree.path, "--passphrase-file", file]
      for (const command of [
        ["personal", "verify", profile],
        ["personal", "mark", profile],
        ["personal", "learn", log, "-o", fresh()],
      ]) {
        chmodSync(file, 0o640)
        const warned = await runCli([...command, ...flags])
        expectDiscreet(warned)
        expect([warned.code, warned.stderr]).toEqual([0, expect.stringContaining(`chmod 600 ${file}`)])
        chmodSync(file, 0o600)
        expect((await runCli([...command, ...flags])).stderr).not.toContain("chmod")
      }
    },
  )

  test("that is wrong opens nothing", async () => {
    const other = ["--taxonomy", tree.path, "--passphrase-file", write(`${marker}\n`)]
    const before = readFileSync(profile)
    expectRefused(await runCli(["personal", "learn", log, "-o", profile, ...other]), {
      code: 1,
      message: /passphrase is wrong/,
    })
    expect(readFileSync(profile).equals(before)).toBe(true)
  })
})

describe("queryveil personal verify", () => {
  const options: AskOptions = { engine: "one", session: "day", delta: 0.3, sessionDelta: 0.5 }

  test("replays the exposures, and reports a broken promise or one that can no longer be checked", async () => {
    const file = await open()
    const search = new PersonalSearch(file.store, searcher)
    const asked = search.ask("eagles", options)
    expect(asked.decision.outcome).toBe("exposed")
    search.record(asked, { ...options, time: 0 })
    await file.save()
    const good = await runCli(["personal", "verify", profile, "--json", ...shared])
    expect(good.code).toBe(0)
    expect(JSON.parse(good.stdout)).toMatchObject({ exposures: 1, state: "passed" })

    const attacked = await runCli(["personal", "attack", profile, "--json", ...shared])
    const scores = JSON.parse(attacked.stdout).engines[0].scores
    const first = { name: "eavesdropper/recovered", n: 1, baseline: 15 / 200 } // figure skating, from the root
    expect(scores[0]).toMatchObject(first)
    expect(scores[0].value).toBeGreaterThanOrEqual(scores[0].baseline)

    search.record(asked, { ...options, delta: 0, time: 86_400 }) // shown under a bound that it exceeds
    await file.save()
    const bad = await runCli(["personal", "verify", profile, ...shared])
    expect(bad).toMatchObject({ code: 1, stderr: "" })
    expect(bad.stdout).toMatch(/failed +risk .*row 2/)

    const forgotten = await runCli(["personal", "forget", profile, "--day", "1970-01-02", "--json", ...shared])
    expect(JSON.parse(forgotten.stdout)).toMatchObject({ file: profile, documents: 0, exposures: 1 })
    const rest = await runCli(["personal", "verify", profile, "--json", ...shared])
    expect(rest.code).toBe(3)
    expect(rest.stdout).toMatch(/1 exposures were deleted/)
  })
})

describe("queryveil personal forget", () => {
  test("leaves nothing of a topic in the file", async () => {
    const answer = await runCli(["personal", "forget", profile, "--topic", "Sports", "--json", ...shared])
    expect(JSON.parse(answer.stdout)).toMatchObject({ documents: 1 })
    const { store } = await open()
    for (const { topics } of store.interests.days())
      for (const [topic] of topics) expect(taxonomy.path(topic)).not.toMatch(/^Sports/)
    expect(store.sensitive.topic.length).toBe(0)
    expect(store.history.records).toEqual([])
    expect(store.history.layers.size).toBe(0)
  })

  test("needs a topic or day that exists", async () => {
    expectRefused(await runCli(["personal", "forget", profile, ...shared]), { code: 2, message: /--topic/ })
    for (const noDay of ["soon", "1970-02-31"]) {
      const day = await runCli(["personal", "forget", profile, "--day", noDay, ...shared])
      expectRefused(day, { code: 2, message: /2006-03-01/ })
    }
    const topic = await runCli(["personal", "forget", profile, "--topic", "Nowhere", ...shared])
    expectRefused(topic, { code: 2, message: /no topic/ })
  })
})
