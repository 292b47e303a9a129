import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "vitest"
import { linesOf, queryPaths, topicsFile } from "../stream/live-run.ts"
import { startStream } from "../support/live-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, write } = scratchFolder()
/** For more restarts: `RESTARTS=20 npx vitest run test/cli/stream-restarts.test.ts`. */
const restarts = Number(process.env.RESTARTS ?? 4)
const perRun = 2000

/** A subscriber that retries until it is let in. Returns the numbers of the first releases that it receives. */
async function firstNumbers(url: URL, { after, count }: { after: number; count: number }): Promise<number[]> {
  for (;;) {
    const leave = new AbortController()
    const answer = await fetch(new URL(`/stream?after=${after}`, url), { signal: leave.signal })
    if (answer.status === 503) {
      await wait(2)
      continue
    }
    expect(answer.status).toBe(200)
    let text = ""
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.split("\n").length > count) break
    }
    leave.abort()
    const whole = text.split("\n").slice(0, count)
    return whole.map((line) => JSON.parse(line).seq)
  }
}

test("a subscriber that returns while a killed stream restarts gets nothing at or below its number", async () => {
  const all = perRun * (restarts + 1)
  const topics = ["--taxonomy", write(topicsFile, "topics.tsv"), "--classifier", write(queryPaths(all), "paths.tsv")]
  const http = ["--input", "http", "--output", "http", "--http", "127.0.0.1:0", "--no-admin", "--checkpoint", "86400"]
  const args = [...topics, ...http, "--store", at("store"), "--k", "3", "--depth", "2", "--workers", "1"]
  let seen = -1
  for (let run = 0; run <= restarts; run++) {
    const { child, ended, listening } = startStream(args)
    const url = await listening
    const body = linesOf(
      Array.from({ length: perRun }, (_, i) => run * perRun + i).map((i) => ({ user: `u${i % 97}`, query: `w${i}` })),
    )
    const send = () =>
      fetch(new URL("/records", url), { method: "POST", body, headers: { "content-type": "application/x-ndjson" } })
    // The subscriber asks first, while the stream is still rewriting what the journal has.
    const reading = firstNumbers(url, { after: seen, count: 1000 })
    let answer = await send()
    while (answer.status === 503) {
      await wait(5)
      answer = await send()
    }
    expect(answer.status).toBe(200)
    const numbers = await reading
    expect(numbers).toEqual(numbers.map((_, i) => seen + 1 + i))
    seen = numbers.at(-1) ?? seen
    child.kill("SIGKILL")
    await ended
  }
  expect(seen).toBe((restarts + 1) * 1000 - 1)
})
