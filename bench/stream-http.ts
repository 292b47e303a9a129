import { spawn } from "node:child_process"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { Finding } from "./case.ts"
import { loadHttp } from "./load-http.ts"

const cli = fileURLToPath(new URL("../../dist/cli/queryveil.cjs", import.meta.url))

/** Sends the first records of a log in AOL's layout to `stream run --input http`, a number of records per request. */
export async function httpToFile(
  log: string,
  { folder, batch, requests, connections }: { folder: string; batch: number; requests: number; connections: number },
): Promise<Finding> {
  const bodies = bodiesOf(await firstLines(log, Math.min(batch * requests, 3_000_000)), batch)
  const args = ["stream", "run", "--no-admin", "--store", join(folder, "store"), "-o", join(folder, "out.tsv")]
  const server = spawn(process.execPath, [cli, ...args, "--input", "http", "--http", "127.0.0.1:0", "--json"])
  const ended = new Promise((resolve) => server.on("close", resolve))
  try {
    const port = await new Promise<number>((resolve, reject) => {
      let text = ""
      server.stderr.on("data", (more) => {
        text += more
        const found = /listening on \S+:(\d+)\n/.exec(text)
        if (found !== null) resolve(Number(found[1]))
      })
      ended.then(() => reject(new Error(text)))
    })
    // The server listens before the stream is open.
    while ((await loadHttp({ port, path: "/records", bodies, requests: 1, connections: 1 })).refused > 0)
      await wait(100)
    const found = await loadHttp({ port, path: "/records", bodies, requests, connections })
    if (found.refused > 0) throw new Error(`${found.refused} requests were refused`)
    const { seconds, p50, p99 } = found
    return { count: requests * batch, seconds, requests, "p50 (ms)": p50.toFixed(1), "p99 (ms)": p99.toFixed(1) }
  } finally {
    server.kill("SIGTERM")
    await ended
  }
}

/** The first lines of a file without its header. */
export async function firstLines(path: string, count: number): Promise<string[]> {
  const file = await open(path)
  const lines: string[] = []
  for await (const line of file.readLines({ start: 0 })) if (lines.push(line) > count) break
  return lines.slice(1) // drop the header
}

function bodiesOf(lines: readonly string[], batch: number): Uint8Array[] {
  const bodies: Uint8Array[] = []
  for (let at = 0; at + batch <= lines.length; at += batch) {
    const records = lines.slice(at, at + batch).map((line) => {
      const [user, query, time] = line.split("\t")
      return JSON.stringify({ user, query, time })
    })
    bodies.push(Buffer.from(`${records.join("\n")}\n`))
  }
  return bodies
}
