// The whole way with a real cluster, on a synthetic log: a collector sends searches to queryveil, and queryveil writes
// releases to the cluster. Then a UBI index is read, released and verified. It makes two indices whose names begin
// with queryveil, and deletes them at the end. Credentials come from the environment (docs/opensearch.md).
//
// Run: node examples/opensearch/gateway.mjs [opensearch://HOST:9200]
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const cluster = (process.argv[2] ?? "opensearch://localhost:9200").replace(/\/+$/, "")
const queryveil = fileURLToPath(new URL("../../dist/cli/queryveil.cjs", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "queryveil-demo-"))
const at = (name) => join(folder, name)
const names = { raw: "queryveil_demo_ubi_queries", released: "queryveil-demo-released" }

/** Runs a command, and shows it and what it prints. */
async function run(...args) {
  process.stdout.write(`\n$ queryveil ${args.join(" ")}\n`)
  const child = spawn(process.execPath, [queryveil, ...args], { stdio: "inherit" })
  const [code] = await once(child, "exit")
  if (code !== 0) throw new Error(`queryveil ${args[0]} ended with ${code}`)
}

/** Asks the cluster itself, as an administrator would. This demo speaks plain HTTP to this machine only. */
async function ask(method, path, body) {
  const url = `${cluster.replace(/^[a-z]+:/, "http:")}${path}`
  const headers = { "content-type": "application/json" }
  const answer = await fetch(url, { method, ...(body && { body, headers }) })
  return answer.json()
}

/** Searches of a synthetic log as UBI documents. */
function searches() {
  const [, ...lines] = readFileSync(at("log.tsv"), "utf8").trimEnd().split("\n")
  const documents = lines.map((line, i) => {
    const [user, query, time] = line.split("\t")
    const timestamp = `${time.replace(" ", "T")}Z`
    return { application: "demo", query_id: `q${i}`, client_id: user, user_query: query, timestamp }
  })
  return documents.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1)) // as they would arrive
}

/** Sends documents as a collector does: a line that says what to do, then the document. */
async function sendBulk(url, { index, documents }) {
  for (let from = 0; from < documents.length; from += 1000) {
    const lines = documents.slice(from, from + 1000).map((one) => `{"index":{}}\n${JSON.stringify(one)}\n`)
    const headers = { "content-type": "application/x-ndjson" }
    const answer = await fetch(`${url}/${index}/_bulk`, { method: "POST", body: lines.join(""), headers })
    const { errors } = await answer.json()
    if (errors !== false) throw new Error("some documents were refused")
  }
}

async function runGateway(documents) {
  const args = ["--input", "http", "--http", "127.0.0.1:0", "--output", `${cluster}/${names.released}`]
  const options = ["--store", at("store"), "-k", "3", "--depth", "2", "--no-admin"]
  process.stdout.write(`\n$ queryveil stream run ${[...args, ...options].join(" ")}\n`)
  const stream = spawn(process.execPath, [queryveil, "stream", "run", ...args, ...options], {
    stdio: ["ignore", "inherit", "pipe"],
  })
  const ended = once(stream, "exit")
  for await (const line of createInterface({ input: stream.stderr })) {
    process.stdout.write(`${line}\n`)
    const [, url] = /^listening on (http:\S+)$/.exec(line) ?? []
    if (url === undefined) continue
    await sendBulk(url, { index: "ubi_queries", documents })
    stream.kill("SIGTERM") // it writes what is due and makes a checkpoint
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`the stream ended with ${code}`)
}

try {
  await run("synth", "-o", at("log.tsv"), "--rows", "20000", "--users", "400", "--quiet")
  const documents = searches()

  process.stdout.write("\n== A gateway: the collector speaks to queryveil, and queryveil to the cluster\n")
  await ask("PUT", "/_index_template/queryveil-demo", readFileSync(new URL("index-template.json", import.meta.url)))
  await runGateway(documents)
  await ask("POST", `/${names.released}/_refresh`)
  const { count } = await ask("GET", `/${names.released}/_count`)
  const shown = await ask("GET", `/${names.released}/_search?size=1&sort=seq`)
  process.stdout.write(`${count} releases in ${names.released}. The first: ${JSON.stringify(shown.hits.hits[0])}\n`)
  if (count === 0) throw new Error("nothing was released")

  process.stdout.write("\n== An index that is there already: read, release, verify\n")
  const mappings = { properties: { timestamp: { type: "date" }, user_query: { type: "keyword" } } }
  await ask("PUT", `/${names.raw}`, JSON.stringify({ mappings }))
  await sendBulk(cluster.replace(/^[a-z]+:/, "http:"), { index: names.raw, documents })
  await ask("POST", `/${names.raw}/_refresh`)
  const log = `${cluster}/${names.raw}`
  await run("inspect", log)
  await run("anonymize", "equality", log, "-k", "5", "-o", at("release"))
  await run("verify", at("release"), "--against", log)
} finally {
  for (const name of Object.values(names)) await ask("DELETE", `/${name}`).catch(() => {})
  await ask("DELETE", "/_index_template/queryveil-demo").catch(() => {})
  rmSync(folder, { recursive: true, force: true })
}
