import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { writeParquet } from "../log/formats/parquet-files.ts"
import { marker } from "../support/aol-log.ts"
import { expectDiscreet, expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()

/** Four sessions or people search for lamps. Each also searches for something that nobody else does. */
const rows = Array.from({ length: 8 }, (_, i) => {
  const query = i % 2 === 0 ? "lamp" : `${marker} ${i}`
  return [`${marker}-${i >> 1}`, query, `2006-03-01 12:00:0${i}`]
})

const table = (header: readonly string[], delimiter: string) =>
  [header, ...rows].map((row) => `${row.join(delimiter)}\n`).join("")

const objects = (names: readonly string[]) =>
  rows.map((row) => `${JSON.stringify(Object.fromEntries(row.map((cell, i) => [names[i], cell])))}\n`).join("")

/** The words of the flags that a message prints after a text. */
function flagsBehind(stderr: string, text: string): string[] {
  const line = stderr.split("\n").find((one) => one.includes(text)) ?? ""
  const words = line.slice(line.indexOf(text) + text.length).match(/'[^']*'|\S+/g) ?? []
  return words.map((word) => word.replace(/^'(.*)'$/, "$1"))
}

const anonymize = (log: string, ...flags: string[]) => {
  const out = fresh("release")
  return runCli(["anonymize", "equality", log, "-o", out, "-k", "3", ...flags]).then((result) => ({ ...result, out }))
}

describe("a log without a column of users is refused, and the flag that is printed works", () => {
  test.each([
    ["session,phrase,when", ","],
    ["session_id,query,timestamp", ","],
    ["Session ID;Search Term;Date Time", ";"],
    ["session\tphrase\twhen", "\t"],
    ["visit_id|q|at", "|"],
    ['"session","phrase","when"', ","],
  ])("%s, by session", async (header, delimiter) => {
    const log = write(table(header.split(delimiter), delimiter))
    const refused = await anonymize(log)
    expectRefused(refused, { code: 1, message: /no column has a name that means a user/ })
    const flags = flagsBehind(refused.stderr, "promises less: ")
    expect(flags.slice(0, 3)).toEqual(["--unit", "session", "--columns"])
    const released = await anonymize(log, ...flags)
    expectDiscreet(released)
    expect([released.code, released.stderr]).toEqual([0, ""])
    const { guarantee } = JSON.parse(readFileSync(`${released.out}/release.json`, "utf8"))
    expect(guarantee.counted).toBe("session")
    const [, command = ""] = /Check it: queryveil (.*)/.exec(released.stdout) ?? []
    const words = (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, "$1"))
    expect((await runCli(words)).code).toBe(0)
  })

  test.each(["uuid,phrase,when", "order,phrase,when", "id,query,time", "request_id,query,timestamp"])(
    "%s, by a column that the owner names",
    async (header) => {
      const log = write(table(header.split(","), ","))
      const refused = await anonymize(log)
      expectRefused(refused, { code: 1, message: /no column has a name that means a user/ })
      const [flag = "", columns = ""] = flagsBehind(refused.stderr, "Name them: ")
      const released = await anonymize(log, flag, columns.replace("COLUMN", "1"))
      expect([released.code, released.stderr]).toEqual([0, ""])
    },
  )

  test("as JSON lines and as Parquet", async () => {
    const names = ["session", "query", "time"]
    const values = rows.map((row) => `(${row.map((cell) => `'${cell}'`).join(", ")})`).join(", ")
    const parquet = `SELECT * FROM (VALUES ${values}) AS t(session, query, time)`
    for (const log of [write(objects(names)), await writeParquet(at("sessions.parquet"), parquet)]) {
      const refused = await anonymize(log)
      expectRefused(refused, { code: 1, message: /no (column|member) has a name that means a user/ })
      const released = await anonymize(log, ...flagsBehind(refused.stderr, "promises less: "))
      expect([released.code, released.stderr]).toEqual([0, ""])
    }
  })

  test("and --json gives the code", async () => {
    const { stderr } = await anonymize(write(table(["uuid", "phrase", "when"], ",")), "--json")
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "input-columns", flag: "--columns" } })
  })
})

describe("what was read is reported and stored, by column names only", () => {
  const log = write(table(["visitor", "term", "at"], ";"))
  const line = "read as delimited: user=visitor, query=term, time=at"
  const read = [{ format: "delimited", columns: { user: "visitor", query: "term", time: "at" }, found: "recognised" }]

  const out = fresh("shared")
  const page = fresh("page.html")

  beforeAll(async () => {
    const released = await runCli(["anonymize", "equality", log, "-o", out, "-k", "3"])
    expectDiscreet(released)
    expect([released.code, released.readAs]).toEqual([0, [line]])
  })

  test("in the receipt, and not in the release", () => {
    expect(JSON.parse(readFileSync(`${out}.receipt.json`, "utf8")).input.read).toEqual(read)
    expect(readFileSync(`${out}/release.json`, "utf8")).not.toContain("visitor")
  })

  test.each([
    ["inspect", log],
    ["verify", out, "--against", log],
    ["measure", out, "--against", log, "--only", "events-kept"],
    ["plan", "counts", log, "--epsilon", "1", "--delta", "1e-6"],
    ["report", out, "--against", log, "-o", page],
  ])("on stderr, by %s", async (...command) => {
    const result = await runCli(command)
    expectDiscreet({ ...result, stdout: "" })
    expect(result.readAs).toEqual([line])
    if (command[0] === "report") expect(readFileSync(page, "utf8")).toContain(line)
  })

  test("not with --quiet", async () => {
    expect((await runCli(["inspect", log, "--quiet"])).readAs).toEqual([])
  })

  test("by inspect, as text and as JSON", async () => {
    expect((await runCli(["inspect", log])).stdout).toContain(line)
    const { stdout } = await runCli(["inspect", log, "--json"])
    expect(JSON.parse(stdout).read).toEqual(read)
  })

  test("with a note that positions were guessed if there is no header", async () => {
    const bare = write(rows.map((row) => `${row.join(",")}\n`).join(""))
    const released = await anonymize(bare)
    expectDiscreet(released)
    expect(released.readAs).toEqual([
      expect.stringMatching(
        /^read as delimited: user=1, query=2, time=3\. There is no header, so positions were guessed/,
      ),
    ])
    expect(JSON.parse(readFileSync(`${released.out}.receipt.json`, "utf8")).input.read).toMatchObject([
      { found: "guessed" },
    ])
  })

  test("by a live stream", async () => {
    const args = ["stream", "run", "--k", "2", "--depth", "3", "--store", fresh("store"), "--no-admin"]
    const { readAs } = await runCli([...args, "--input", log, "-o", fresh("out.tsv")])
    expect(readAs).toEqual([line])
  })

  test("for each way in which files were read", async () => {
    const other = write(table(["user", "query", "time"], ","))
    const { readAs } = await runCli(["inspect", log, other, log])
    expect(readAs).toEqual([line, "read as delimited: user=user, query=query, time=time"])
  })
})
