import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { createTopic } from "../../servers/kafka-client.ts"
import { startCluster } from "../../servers/kafka-cluster.ts"
import { Findings } from "../findings.ts"
import { startLife } from "../life.ts"
import { seedRandom } from "../random.ts"
import { checkCells } from "./check-cells.ts"
import { checkAccounts, checkClassified, checkForms, checkInput, newestAnswers } from "./check-releases.ts"
import { Crew, type Role } from "./crew.ts"
import { drawFaults, leastWorkers, makeFault } from "./faults.ts"
import { type Feed, feedSearches } from "./feed.ts"
import { topicsFile } from "./numbered-searches.ts"
import { readClassified, readInput, readReleases } from "./read-topics.ts"
import { settleHops } from "./settle.ts"

const k = 2
const sessionTimeout = 6000
const [input, group] = ["searches", "soak"]
const [inputs, partitions] = [3, 6]
/** With so many faults, some interrupt a transaction. */
const manyFaults = 50

export interface SoakOptions {
  folder: string
  faults: number
  seed: number
  say(line: string): void
}

/** Runs a group of workers on three brokers under faults, then checks what its topics have. Returns the findings. */
export async function soakWorkers({ folder, faults, seed, say }: SoakOptions): Promise<Findings> {
  const findings = new Findings()
  const random = seedRandom(seed)
  const cluster = await startCluster(join(folder, "kafka"), { brokers: 3 })
  const { addresses } = cluster
  const argsOf = await createGroup(addresses, folder)
  const crew = new Crew(argsOf, { folder, findings })
  const stop = new AbortController()
  try {
    for (const role of ["classify", "swap"] as const) for (let i = 0; i < leastWorkers[role]; i++) crew.start(role)
    const feeding = feedSearches(addresses, input, { random: seedRandom(seed + 1), signal: stop.signal })
    const kinds = drawFaults(faults, random)
    for (const kind of kinds) {
      await wait(1000 + random.below(3000))
      say(`${new Date().toISOString().slice(11, 19)} ${kind}`)
      await makeFault(kind, { cluster, crew, random, findings, sessionTimeout })
    }
    await wait(3000) // each partition gets searches after the last fault, so a living worker must take it
    stop.abort()
    const feed = await feeding
    const hops = [
      { group: `${group}.classify`, topic: input, partitions: inputs },
      { group: `${group}.swap`, topic: `${group}.classified.1`, partitions },
    ]
    await settleHops(addresses, hops, findings)
    await crew.dismissAll()
    const { counts, repeats } = await check(addresses, { feed, crew, findings })
    if (repeats === 0 && faults >= manyFaults)
      findings.add(
        "some fault makes a worker deal a cell again",
        `none of ${faults} did, so nothing shows that it is dealt in one way`,
      )
    const least = leastWorkers.classify + leastWorkers.swap
    say(`${counts}, faults ${faults} (${countKinds(kinds)}), restarts ${crew.started - least}, seed ${seed}`)
    say(`findings ${findings.count}`)
    return findings
  } finally {
    stop.abort()
    await crew.killAll()
    await cluster.close({ logsTo: findings.count > 0 ? folder : undefined })
  }
}

/** Creates the topics of the group. Returns the arguments with which a worker is started. */
async function createGroup(addresses: string, folder: string): Promise<(role: Role) => string[]> {
  const [topics, secret, place] = [join(folder, "topics.tsv"), join(folder, "secret"), `kafka://${addresses}/${group}`]
  await writeFile(topics, topicsFile)
  await createTopic(addresses, input, { partitions: inputs, replicas: 3, settings: { "min.insync.replicas": "2" } })
  const made = startLife([
    ...["topics", "create", place, "--input", input, "--partitions", `${partitions}`, "--secret", secret],
    ...["--taxonomy", topics, "-k", `${k}`, "--depth", "2", "--scrub", "none", "--checkpoint", "1"],
    ...["--users", "keep", "--category", "--json"],
  ])
  const { code, stderr } = await made.ended
  if (code !== 0) throw new Error(`the topics of the group were not created: ${stderr}`)
  return (role) => [
    ...[role, place, "--taxonomy", topics, "--session-timeout", `${sessionTimeout}`, "--workers", "1", "--json"],
    ...(role === "swap" ? ["--secret", secret] : []),
  ]
}

/** Checks what the topics have. Returns the counts, and how many releases an uncommitted reader saw again. */
async function check(
  addresses: string,
  { feed, crew, findings }: { feed: Feed; crew: Crew; findings: Findings },
): Promise<{ counts: string; repeats: number }> {
  const released = `${group}.released`
  const userOf = checkInput(await readInput(addresses, input, inputs), feed, findings)
  const newest = newestAnswers(crew.answers)
  const committed = await readReleases(addresses, released, {
    partitions,
    isolation: "read_committed",
    expected: newest,
  })
  const classified = await readClassified(addresses, `${group}.classified.1`, partitions)
  checkClassified(classified, { userOf, findings })
  const waiting = checkAccounts(committed, { userOf, classified, newest, findings })
  const cells = checkCells(committed, { userOf, findings, k })
  const uncommitted = await readReleases(addresses, released, { partitions, isolation: "read_uncommitted" })
  const repeats = checkForms(uncommitted, findings)
  const counts = [`sent ${userOf.size}`, `released ${committed.length}`, `waiting ${waiting}`, `cells ${cells}`]
  counts.push(`uncommitted ${uncommitted.length - committed.length}`, `shown again ${repeats}`)
  return { counts: counts.join(", "), repeats }
}

function countKinds(kinds: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(", ")
}
