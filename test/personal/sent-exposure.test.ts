import { afterAll, expect, test } from "vitest"
import { builtIn } from "#dist/personal/engines/built-in.js"
import { parseEngine } from "#dist/personal/engines/parse-engine.js"
import { openEngineServer } from "#dist/server/personal/engine-server.js"
import { servePerson } from "../server/personal-person.ts"
import { recordingProxy } from "../support/recording-proxy.ts"
import { sampleTree } from "./sample-tree.ts"

const searcher = await sampleTree().searcher()

test("an engine that accepts exposures gets exactly the exposure that the page shows, and the words", async () => {
  const own = await openEngineServer(await builtIn(searcher), { port: 0 })
  afterAll(() => own.close())
  const proxy = await recordingProxy(own.address.kind === "tcp" ? own.address.port : 0)
  const engine = parseEngine(`queryveil=http://127.0.0.1:${proxy.port}`)
  const { api } = await servePerson({ searcher, engines: [engine] })
  let shown = 0
  for (const query of ["eagles", "owls", "figure skating", "adults", "piano"]) {
    const told = await api("/api/search", { body: { query, engine: engine.name } })
    const requests = proxy.take()
    expect(requests).toHaveLength(1)
    const { exposure, ...rest } = JSON.parse(requests[0]?.body ?? "")
    expect(rest).toEqual({ query, count: expect.any(Number) })
    const paths = (exposure ?? []).filter((path: string) => path !== "") // the page leaves out the root
    expect([...paths].sort()).toEqual(told.sent ? [...told.exposure].sort() : [])
    expect("x-queryveil-exposure" in (requests[0]?.headers ?? {})).toBe(told.sent)
    if (told.sent) shown++
  }
  expect(shown).toBeGreaterThan(0)
})
