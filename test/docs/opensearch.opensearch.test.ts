import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { missingServer, SearchServer } from "../../bench/search-server.ts"
import { commandsOf, needsServer } from "../support/documented-commands.ts"
import { emptyFolder, fencesOf, joinLines, pageAt, runCommands } from "../support/page-commands.ts"

const why = missingServer("opensearch")
const examples = fileURLToPath(new URL("../../examples/", import.meta.url))
const template = JSON.parse(readFileSync(join(examples, "opensearch/index-template.json"), "utf8"))

describe.skipIf(why !== undefined)(`every command of docs/opensearch.md${why === undefined ? "" : ` (${why})`}`, () => {
  let server: SearchServer
  beforeAll(async () => {
    server = await SearchServer.start("opensearch")
  })
  afterAll(() => server?.stop())

  /** The documents of a sample as the lines of a bulk request, in the year of the page. */
  const bulkOf = (index: string) =>
    readFileSync(join(examples, `samples/${index}.ndjson`), "utf8")
      .replaceAll('"2026-', '"2006-')
      .trimEnd()
      .split("\n")
      .map((line) => `${JSON.stringify({ index: { _index: index } })}\n${line}\n`)
      .join("")

  const here = (command: string) => command.replaceAll("localhost:9200", `127.0.0.1:${server.port}`)

  test("reads, releases and verifies an index", async () => {
    const body = bulkOf("ubi_queries") + bulkOf("ubi_events")
    const headers = { "content-type": "application/x-ndjson" }
    const sent = await fetch(`${server.url}/_bulk?refresh=true`, { method: "POST", headers, body })
    expect(sent.status).toBe(200)
    const place = emptyFolder()
    const commands = commandsOf(pageAt("docs/opensearch.md")).filter((command) => !command.startsWith("stream"))
    expect(commands.filter(needsServer).length).toBeGreaterThan(2)
    for (const command of commands) {
      const { code, told } = await runCommands(`npx queryveil ${here(command)}`, place)
      expect([0, 3, 4], `queryveil ${command}\n${told}`).toContain(code) // 3 and 4: the sample is small
    }
  })

  test("runs the gateway, and sends to it", async () => {
    const place = emptyFolder()
    cpSync(join(examples, "opensearch/index-template.json"), join(place.folder, "index-template.json"))
    writeFileSync(join(place.folder, "ubi.ndjson"), bulkOf("ubi_queries") + bulkOf("ubi_events"))
    const page = pageAt("docs/opensearch.md")
    const lines = fencesOf(page).flatMap(({ text }) => joinLines(text).split("\n"))
    const typed = lines.flatMap((line) => /^\$ (.*)$/.exec(line)?.[1] ?? [])
    const [prepare = "", send = "", look = ""] = typed.filter((line) => line.startsWith("curl"))
    const secret = typed.find((line) => line.includes("openssl")) ?? ""
    const gateway = typed.find((line) => line.startsWith("queryveil stream run")) ?? ""
    const run = (command: string, until?: RegExp) => runCommands(here(command), { ...place, until })

    expect(await run(prepare)).toMatchObject({ code: 0 })
    expect((await run(`test -n "${template.index_patterns}" && ${secret}`)).code).toBe(0)
    // The gateway runs while the collector sends; then both are stopped.
    const both = `npx ${gateway} --http 127.0.0.1:0 --no-admin > told 2>&1 &
      until grep -q "listening on" told; do sleep 0.2; done
      at=$(sed -n 's/^listening on //p' told)
      curl() { command curl --silent --show-error --fail "$@"; }
      ${send.replace("http://127.0.0.1:8080", "$at")}
      kill -INT $!; wait $!`
    const { code, told } = await run(both)
    expect({ code, isTaken: told.includes('"errors":false') }, told).toEqual({ code: 0, isTaken: true })
    expect((await run(look.replace(/,…/, ""))).code).toBe(0)
  })
})
