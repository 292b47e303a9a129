import type { ChildProcess } from "node:child_process"
import { hears } from "../support/live-cli.ts"
import { startCli } from "../support/run-cli.ts"

/** Topics, and the word that identifies each. */
export const topicsFile = "pets\t1\t\npets/dogs\t1\tdog\npets/cats\t1\tcat\ncars\t1\tcar\n"

const words = ["dog", "cat", "car"]

/** The time of a search, a second after the one before. */
export const timeOf = (number: number) =>
  new Date(Date.UTC(2026, 2, 1) + number * 1000).toISOString().slice(0, 19).replace("T", " ")

/** A search with a text of its own, which contains its number. */
const searchOf = (number: number) => ({
  user: `u${(number * 7) % 23}`,
  query: `${words[number % words.length]} w${number}`,
  time: timeOf(number),
})

export const jsonOf = (number: number) => JSON.stringify(searchOf(number))

export const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** The number of the search that a released text belongs to. */
export const numberOf = (value: Buffer | null) => Number(/ w(\d+)/.exec(String(value))?.[1] ?? Number.NaN)

/** Starts `stream run` on a store, with a small taxonomy and without an admin page. */
export function startRun(options: {
  store: string
  topics: string
  input: string
  output: string
  more?: readonly string[]
}): { child: ChildProcess; ended: ReturnType<typeof startCli>["ended"]; reading: Promise<boolean> } {
  const { store, topics, input, output, more = [] } = options
  const { child, ended } = startCli([
    ...["stream", "run", "--store", store, "--taxonomy", topics, "--input", input, "--output", output],
    ...["-k", "2", "--depth", "2", "--no-admin", "--workers", "1", "--scrub", "none", "--json", ...more],
  ])
  const reading = hears(child, (told) => told.includes("listening on kafka:"))
  reading.catch(() => {})
  return { child, ended, reading }
}

/** What a run that ended says of itself; throws what it said if it failed. */
export async function summaryOf(ended: ReturnType<typeof startRun>["ended"]) {
  const { code, stdout, stderr } = await ended
  if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}`)
  const summary: { lines: number; taken: number; released: number; waiting: number; rejected: Record<string, number> } =
    JSON.parse(stdout)
  return { ...summary, stderr }
}

/** The error that a run ended with. */
export async function errorOf(ended: ReturnType<typeof startRun>["ended"]) {
  const { code, stderr } = await ended
  const line = /^\{.*"error".*\}$/m.exec(stderr)?.[0]
  if (code === 0 || line === undefined) throw new Error(`it ended with ${code}: ${stderr}`)
  const { error }: { error: { code: string; message: string } } = JSON.parse(line)
  return error
}
