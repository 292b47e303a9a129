import { execFile } from "node:child_process"
import { mkdir, readdir, stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Frame } from "#dist/stream/store/frame.js"
import { openStore } from "#dist/stream/store/open-store.js"
import type { Boundary } from "#dist/stream/store/store.js"
import { type Bench, type Finding, timed } from "./case.ts"
import { benchFolder } from "./data.ts"
import { withFolder } from "./stream.ts"

// The work of a store, on ours and on three engines. In every commit, new records wait, those of a hundred commits ago
// leave, their pairs are remembered, and the profiles of the shown users are counted. All of it is durable before the
// next commit.

const records = 2_000_000
const perCommit = 1000
const waiting = 100
const users = 100_000
const topics = 3000
/** Engines are installed here, next to the logs of the benches, because the package does not need them. */
const enginesFolder = join(benchFolder, "engines")
const engines = ["libsql@0.5.29", "lmdb@3.5.6", "rocksdb@5.2.1"]

/** A record of the load; its number determines everything about it. */
const userOf = (number: number) => `user${(number * 7919) % users}`
const topicOf = (number: number) => (number * 31) % topics
const textOf = (number: number) => `a query of some length ${number % 500_000}`

interface Commit {
  first: number
  /** The numbers of the records that leave, each under the user of its neighbour. */
  leaving: number[]
}

function* commits(): Generator<Commit> {
  for (let first = 0; first < records; first += perCommit) {
    const from = first - waiting * perCommit
    yield { first, leaving: from < 0 ? [] : Array.from({ length: perCommit }, (_, i) => from + i) }
  }
}

/** A store under load. */
interface Store {
  commit(commit: Commit): Promise<void>
  close(): Promise<void>
}

async function load(open: (folder: string) => Promise<Store>, count: (folder: string) => Promise<number>) {
  return withFolder(async (folder): Promise<Finding> => {
    const store = await open(folder)
    const delays: number[] = []
    const before = process.cpuUsage()
    const { seconds } = await timed(async () => {
      for (const commit of commits()) delays.push((await timed(() => store.commit(commit))).seconds)
      await store.close()
    })
    const { user, system } = process.cpuUsage(before)
    const again = await timed(() => count(folder))
    if (again.value !== waiting * perCommit)
      throw new Error(`${again.value} records wait instead of ${waiting * perCommit}`)
    delays.sort((a, b) => a - b)
    return {
      count: records,
      seconds,
      "processor s": Math.round((user + system) / 1e6),
      "commit p50 ms": round(1000 * (delays[delays.length >> 1] ?? 0)),
      "commit p99 ms": round(1000 * (delays[Math.floor(delays.length * 0.99)] ?? 0)),
      "disk MB": Math.round((await sizeOf(folder)) / 2 ** 20),
      "restart s": round(again.seconds),
    }
  })
}

const round = (value: number) => Math.round(value * 100) / 100

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

// Our store.

const storeOptions = { mode: "strict", taxonomy: "bench", now: Date.now } as const

async function openOurs(folder: string): Promise<Store> {
  const store = await openStore(join(folder, "store"), storeOptions)
  const at = { record: 0, releases: 0 }
  const boundary = (): Boundary => {
    const output = { releases: at.releases, bytes: 0 }
    return { record: at.record, output, input: "", settings: "{}", totals: {} }
  }
  const settle = async () => {}
  return {
    async commit(commit) {
      await store.append(frameOf(commit, at.releases))
      at.record += perCommit
      at.releases += commit.leaving.length
      if (store.due) void store.checkpoint(boundary(), settle)
    },
    async close() {
      await store.settled()
      await store.checkpoint(boundary(), settle)
      await store.close()
    },
  }
}

function frameOf({ first, leaving }: Commit, firstRelease: number): Frame {
  const numbers = Array.from({ length: perCommit }, (_, i) => first + i)
  const texts = numbers.flatMap((number) => [userOf(number), textOf(number), ""])
  let end = 0
  return {
    firstRecord: first,
    records: {
      count: perCommit,
      topic: Int32Array.from(numbers, topicOf),
      time: Int32Array.from(numbers),
      arrival: Int32Array.from(numbers),
      rank: new Uint16Array(perCommit),
      ends: Uint32Array.from(texts, ({ length }) => (end += length)),
      arena: new Uint8Array(Buffer.from(texts.join(""))),
    },
    firstRelease,
    deals: {
      record: Float64Array.from(leaving),
      as: Float64Array.from(leaving, (number) => number ^ 1),
      cellEnd: Uint32Array.of(leaving.length),
      cellTime: Int32Array.of(0),
      cellUsers: Int32Array.of(2),
    },
    input: "",
    change: "",
    totals: {},
    answered: "",
  }
}

async function countOurs(folder: string): Promise<number> {
  const store = await openStore(join(folder, "store"), storeOptions)
  let count = 0
  for await (const { records: block } of store.recovered.waiting()) count += block.count
  await store.close()
  return count
}

// The engines. Each stores waiting records by number, hashes of released pairs, and profiles by user and topic.

const engine = <T>(name: string): T => createRequire(join(enginesFolder, "package.json"))(name)
const lineOf = (number: number) => `${userOf(number)}\t${textOf(number)}\t${topicOf(number)}`
/** A substitute for the hash of a pair: equally long and equally scattered. */
const pairOf = (number: number) => Math.imul(number + 1, 2654435761) * 2097152 + (number % 2097152)
const profileOf = (number: number) => `${userOf(number ^ 1)}\t${topicOf(number)}`

interface Sqlite {
  pragma(text: string): void
  exec(text: string): void
  prepare(text: string): { run(...values: (string | number)[]): void; all(): unknown[] }
  transaction<T>(action: (given: T) => void): (given: T) => void
  close(): void
}

function openSqlite(folder: string): Sqlite {
  const database = new (engine<new (path: string) => Sqlite>("libsql"))(join(folder, "store.sqlite"))
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  return database
}

async function loadSqlite(folder: string): Promise<Store> {
  const database = openSqlite(folder)
  database.exec("CREATE TABLE waiting (number INTEGER PRIMARY KEY, value TEXT)")
  database.exec("CREATE TABLE released (pair INTEGER PRIMARY KEY)")
  database.exec("CREATE TABLE profiles (id TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID")
  const take = database.prepare("INSERT INTO waiting VALUES (?, ?)")
  const leave = database.prepare("DELETE FROM waiting WHERE number = ?")
  const remember = database.prepare("INSERT OR IGNORE INTO released VALUES (?)")
  const count = database.prepare("INSERT INTO profiles VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1")
  const commit = database.transaction(({ first, leaving }: Commit) => {
    for (let number = first; number < first + perCommit; number++) take.run(number, lineOf(number))
    for (const number of leaving) {
      leave.run(number)
      remember.run(pairOf(number))
      count.run(profileOf(number))
    }
  })
  return { commit: async (given) => commit(given), close: async () => database.close() }
}

async function countSqlite(folder: string): Promise<number> {
  const database = openSqlite(folder)
  const rows = database.prepare("SELECT number, value FROM waiting ORDER BY number").all()
  database.close()
  return rows.length
}

interface Lmdb {
  openDB(options: { name: string }): Lmdb
  get(key: string | number): unknown
  putSync(key: string | number, value: unknown): void
  removeSync(key: string | number): void
  transactionSync(action: () => void): void
  getRange(): Iterable<unknown>
  flushed: Promise<unknown>
  close(): Promise<void>
}

function openLmdb(folder: string): { root: Lmdb; parts: Lmdb[] } {
  const root = engine<{ open(options: object): Lmdb }>("lmdb").open({
    path: join(folder, "store.mdb"),
    overlappingSync: false,
  })
  return { root, parts: ["waiting", "released", "profiles"].map((name) => root.openDB({ name })) }
}

async function loadLmdb(folder: string): Promise<Store> {
  const { root, parts } = openLmdb(folder)
  const [held, released, profiles] = parts
  return {
    async commit({ first, leaving }) {
      root.transactionSync(() => {
        for (let number = first; number < first + perCommit; number++) held?.putSync(number, lineOf(number))
        for (const number of leaving) {
          held?.removeSync(number)
          released?.putSync(pairOf(number), true)
          const id = profileOf(number)
          profiles?.putSync(id, Number(profiles.get(id) ?? 0) + 1)
        }
      })
      await root.flushed
    },
    close: () => root.close(),
  }
}

async function countLmdb(folder: string): Promise<number> {
  const { root, parts } = openLmdb(folder)
  let count = 0
  for (const _ of parts[0]?.getRange() ?? []) count++
  await root.close()
  return count
}

type Answer<T> = (error: Error | null | undefined, value: T) => void
type Change = { type: "put"; key: string; value: string } | { type: "del"; key: string }
interface Rocks {
  open(answer: Answer<void>): void
  getMany(keys: string[], options: object, answer: Answer<(string | undefined)[]>): void
  batch(changes: Change[], options: { sync: boolean }, answer: Answer<void>): void
  iterator(options: object): {
    seek(key: string): void
    next(answer: (...row: unknown[]) => void): void
    end(answer: Answer<void>): void
  }
  close(answer: Answer<void>): void
}

const asked = <T>(action: (answer: Answer<T>) => void) =>
  new Promise<T>((resolve, reject) => {
    action((error, value) => (error ? reject(error) : resolve(value)))
  })

async function openRocks(folder: string): Promise<Rocks> {
  const database = engine<(path: string) => Rocks>("rocksdb")(join(folder, "rocks"))
  await asked<void>((answer) => database.open(answer))
  return database
}

const waitingKey = (number: number) => `w${String(number).padStart(12, "0")}`

async function loadRocks(folder: string): Promise<Store> {
  const database = await openRocks(folder)
  return {
    async commit({ first, leaving }) {
      const counts = new Map<string, number>()
      for (const number of leaving) counts.set(profileOf(number), (counts.get(profileOf(number)) ?? 0) + 1)
      const ids = [...counts.keys()].map((id) => `p${id}`)
      const held = await asked<(string | undefined)[]>((answer) => database.getMany(ids, { asBuffer: false }, answer))
      const changes: Change[] = []
      for (let number = first; number < first + perCommit; number++)
        changes.push({ type: "put", key: waitingKey(number), value: lineOf(number) })
      for (const number of leaving)
        changes.push({ type: "del", key: waitingKey(number) }, { type: "put", key: `r${pairOf(number)}`, value: "1" })
      for (const [i, [, more]] of [...counts].entries())
        changes.push({ type: "put", key: ids[i] ?? "", value: String(Number(held[i] ?? 0) + more) })
      await asked<void>((answer) => database.batch(changes, { sync: true }, answer))
    },
    close: () => asked<void>((answer) => database.close(answer)),
  }
}

async function countRocks(folder: string): Promise<number> {
  const database = await openRocks(folder)
  const iterator = database.iterator({ gte: "w", lt: "x", keyAsBuffer: false, valueAsBuffer: false })
  let count = 0
  const next = () =>
    new Promise<boolean>((resolve) => iterator.next((...row) => resolve(row.length >= 2 && row[1] !== undefined)))
  while (await next()) count++
  await asked<void>((answer) => iterator.end(answer))
  await asked<void>((answer) => database.close(answer))
  return count
}

async function installEngines(): Promise<void> {
  await mkdir(enginesFolder, { recursive: true })
  const words = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", enginesFolder, ...engines]
  await promisify(execFile)("npm", words)
}

export const storeEngines: Bench = {
  name: "store-engines",
  prepare: installEngines,
  cases: [
    { name: "ours", run: () => load(openOurs, countOurs) },
    { name: "SQLite (WAL)", run: () => load(loadSqlite, countSqlite) },
    { name: "LMDB", run: () => load(loadLmdb, countLmdb) },
    { name: "RocksDB", run: () => load(loadRocks, countRocks) },
  ],
  targets: [],
}
