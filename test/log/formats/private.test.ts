import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runCli } from "../../support/run-cli.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { isoTime, jsonLines, start } from "./rows.ts"

const { fresh, write } = scratchFolder()

/** Content of the records that may never leave them. Every secret contains this text. */
const marker = "zebramarker"
const secret = (what: string) => `${marker}-${what}`
const dsl = JSON.stringify({
  query: { bool: { filter: [{ term: { account: secret("dsl") } }], must: [{ match: { title: "lamp" } }] } },
})
const people = [1, 2, 3]

/** Three people search for lamp. Everything else in the records is secret. */
const logs: Record<string, string> = {
  ubi: jsonLines(
    people.flatMap((i) => [
      {
        application: secret("application"),
        query_id: secret(`query-${i}`),
        client_id: secret(`client-${i}`),
        user_id: secret(`user-${i}`),
        session_id: secret(`session-${i}`),
        user_query: "lamp",
        query: dsl,
        query_attributes: { note: secret("attribute") },
        query_response_id: secret("response"),
        timestamp: isoTime(i),
      },
      {
        action_name: "click",
        query_id: secret(`query-${i}`),
        client_id: secret(`client-${i}`),
        session_id: secret(`session-${i}`),
        timestamp: isoTime(i + 5),
        message_type: secret("type"),
        message: secret("message"),
        event_attributes: {
          object: { object_id: "sku-1", name: secret("name"), description: secret("description") },
          position: { ordinal: 1, xy: { x: 1, y: 2 } },
          ip: secret("ip"),
        },
      },
    ]),
  ),
  slowlog: jsonLines(
    people.map((i) => ({
      "@timestamp": isoTime(i),
      "log.logger": "index.search.slowlog.query",
      "elasticsearch.slowlog.message": secret("message"),
      "elasticsearch.slowlog.id": secret(`opaque-${i}`),
      "elasticsearch.slowlog.source": dsl,
      "user.name": secret(`user-${i}`),
      "host.ip": secret("ip"),
    })),
  ),
  ga4: jsonLines(
    people.map((i) => ({
      event_timestamp: `${(start + i) * 1e6}`,
      event_name: "search",
      event_params: [
        { key: "search_term", value: { string_value: "lamp" } },
        { key: "page_location", value: { string_value: secret("location") } },
        { key: "ga_session_id", value: { string_value: secret(`session-${i}`) } },
      ],
      user_pseudo_id: secret(`user-${i}`),
      user_id: secret(`login-${i}`),
      geo: { city: secret("city") },
    })),
  ),
  matomo: JSON.stringify(
    people.map((i) => ({
      idVisit: secret(`visit-${i}`),
      visitorId: secret(`visitor-${i}`),
      userId: secret(`user-${i}`),
      visitIp: secret("ip"),
      actionDetails: [
        {
          type: "search",
          siteSearchKeyword: "lamp",
          siteSearchCategory: secret("category"),
          url: secret("url"),
          pageTitle: secret("title"),
          timestamp: start + i,
        },
      ],
    })),
  ),
}

/** Lines that are not rows, each with a secret in it. */
const broken: Record<string, string> = {
  ubi: `{"user_query": "${marker}", \n${jsonLines([{ query_id: marker, user_query: marker, timestamp: marker }])}`,
  slowlog: `${marker}\n${jsonLines([{ "elasticsearch.slowlog.source": marker, "user.name": marker }])}`,
  ga4: `{"${marker}": \n${jsonLines([{ event_name: "search", event_params: [], user_pseudo_id: marker }])}`,
  matomo: "",
}

/** The content of every file below a folder. */
function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => `${path}\n${readFileSync(path, "latin1")}`)
    .join("\n")
}

const place = (format: string) => write(`${logs[format]}${broken[format]}`, `${format}.log`)

test.each([
  ["ubi", "user"],
  ["ubi", "session"],
  ["slowlog", "user"],
  ["ga4", "session"],
  ["matomo", "user"],
])("of a log of %s by %s nothing but text, time and click reaches what is written or said", async (format, unit) => {
  const log = place(format)
  const folder = fresh(format)
  const [release, audit, rejects] = [join(folder, "release"), join(folder, "audit"), join(folder, "rejects")]
  mkdirSync(folder)
  const flags = ["-o", release, "--audit", audit, "--rejects", rejects, "--k", "3", "--unit", unit, "--json"]
  const { code, stdout, stderr } = await runCli(["anonymize", "equality", log, ...flags])
  expect(code).toBe(0)
  const answer = JSON.parse(stdout)
  expect(answer.receipt.input).toMatchObject({ format, unit })
  expect(answer.manifest.guarantee.counted).toBe(unit)
  const written = bytesBelow(folder)
  expect(written).toContain("lamp")
  expect(written + stdout + stderr).not.toContain(marker)
})

test.each(["ubi", "slowlog"])("a refusal of a log of %s shows none of it", async (format) => {
  const flags = ["-o", fresh("strict"), "--strict", "--debug"]
  const { code, stdout, stderr } = await runCli(["anonymize", "equality", place(format), ...flags])
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).not.toContain(marker)
})

describe("--unit session", () => {
  test("is named in the guarantee, and verify accepts only a log of the same unit", async () => {
    const folder = fresh("release")
    const log = place("ubi")
    const { code } = await runCli(["anonymize", "equality", log, "-o", folder, "--k", "3", "--unit", "session"])
    expect(code).toBe(0)
    const { guarantee } = JSON.parse(readFileSync(join(folder, "release.json"), "utf8"))
    expect(guarantee).toMatchObject({ counted: "session", statement: expect.stringMatching(/session/) })
    const states = async (...more: string[]) => {
      const result = await runCli(["verify", folder, "--against", log, "--json", ...more])
      return { code: result.code, text: result.stdout + result.stderr }
    }
    expect(await states("--unit", "session")).toMatchObject({ code: 0 })
    const wrong = await states()
    expect(wrong.code).not.toBe(0)
    expect(wrong.text).toMatch(/--unit session/)
    expect(wrong.text).not.toContain(marker)
  })
})
