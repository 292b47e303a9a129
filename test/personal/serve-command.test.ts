import { readFileSync, statSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sampleTree } from "./sample-tree.ts"

const tree = sampleTree()
const { at, fresh, write } = scratchFolder()
const words = write("a few words\n")
const shell = `XDG_DATA_HOME='${at("data")}' XDG_CACHE_HOME='${at("cache")}' exec "$@"`
const shared = ["--taxonomy", tree.path]
const serve = (...args: string[]) => [
  "personal",
  "serve",
  "--port",
  "0",
  "--passphrase-file",
  words,
  ...shared,
  ...args,
]

/** Starts a command that serves, and waits until it has said where. A signal ends it; the exit code is returned. */
async function started(args: readonly string[]) {
  const { child, ended } = startCli([...args, "--json"], { shell })
  const told = await Promise.race([
    new Promise<string>((resolve) => {
      let text = ""
      child.stdout.on("data", (part: string) => {
        text += part
        if (text.includes("\n}")) resolve(text)
      })
    }),
    ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ])
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { ...JSON.parse(told), stop }
}

const ask = async (url: string, path: string, body?: unknown) => {
  const [origin, token] = url.split("/#token=")
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  }
  const answer = await fetch(
    `${origin}${path}`,
    body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
  )
  return JSON.parse(await answer.text())
}

describe("queryveil personal serve", () => {
  test("creates a profile, imports, asks a personalising engine, and saves all when a signal ends it", async () => {
    const engine = await started(["personal", "engine", "--port", "0", ...shared])
    const visits = "https://e.example/league,Eagles quarterback touchdown,1700000000\n".repeat(3)
    const csv = `url,title,time\n${visits}https://a.example/,Adults,1700000000\n`
    const first = await started(
      serve("--engine", `queryveil=${engine.url}`, "--import", write(csv), "--delta", "0.4", "--no-learn"),
    )
    expect(first.profile).toBe(at("data", "queryveil", "profile.qvp"))
    expect(statSync(at("data", "queryveil")).mode & 0o777).toBe(0o700)
    expect(statSync(first.profile).mode & 0o777).toBe(0o600)
    const name = `queryveil ${new URL(engine.url).host}`
    expect(await ask(first.url, "/api/state")).toMatchObject({
      engine: name,
      delta: 0.4,
      learning: false,
      profile: { searches: 4 },
    })
    const found = await ask(first.url, "/api/search", { query: "eagles" })
    expect(found).toMatchObject({ engine: name, sent: true, decision: "exposed", learned: null })
    expect(await first.stop("SIGTERM")).toMatchObject({ code: 0 })
    const second = await started(serve())
    expect(second.url.split("#")[1]).toBe(first.url.split("#")[1]) // a browser that knows it can continue
    expect(await ask(second.url, "/api/state")).toMatchObject({ engine: "built-in", delta: 0.4, learning: false })
    expect((await ask(second.url, "/api/history")).entries).toHaveLength(1)
    expect(await second.stop("SIGINT")).toMatchObject({ code: 0 })
    expect(await engine.stop("SIGINT")).toMatchObject({ code: 0 })
    const verified = await runCli(["personal", "verify", first.profile, "--passphrase-file", words, ...shared])
    expect(verified).toMatchObject({ code: 0 })
  })

  test("refuses a wrong or missing passphrase, a damaged profile, and invalid engines", async () => {
    const profile = at("data", "queryveil", "profile.qvp")
    const other = write("other words\n")
    const wrong = await runCli(["personal", "serve", profile, "--port", "0", "--passphrase-file", other, ...shared])
    expectRefused(wrong, { code: 1, message: /passphrase is wrong/ })
    const damaged = fresh()
    writeFileSync(damaged, readFileSync(profile).fill(7, 200, 210))
    expectRefused(await runCli(serve(damaged)), { code: 1, message: /altered/ })
    expectRefused(await runCli(["personal", "serve", fresh(), ...shared]), { code: 1, message: /--passphrase-file/ })
    expectRefused(await runCli(serve(fresh(), "--engine", "bing=x")), { code: 2, message: /searxng/ })
  })
})
