import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Findings } from "../findings.ts"
import { type Life, startLife } from "../life.ts"
import { secretText } from "./numbered-searches.ts"

export type Role = "classify" | "swap"

/** What a swapper says of a partition when it ends. */
export interface PartitionAnswer {
  partition: number
  released: number
  waiting: number
  withheld: Record<string, number>
}

export interface Worker {
  name: string
  role: Role
  life: Life
  /** True once the test has ended it. A worker that ends before that has failed. */
  isDismissed: boolean
}

/** Milliseconds within which a worker must end after SIGTERM. */
const patience = 60_000

/** The workers of a group, each a process of its own. */
export class Crew {
  readonly answers: PartitionAnswer[] = []
  started = 0
  readonly #workers = new Set<Worker>()
  readonly #argsOf: (role: Role) => readonly string[]
  readonly #folder: string
  readonly #findings: Findings

  /** What workers write to stderr goes to files of the folder. */
  constructor(argsOf: (role: Role) => readonly string[], { folder, findings }: { folder: string; findings: Findings }) {
    this.#argsOf = argsOf
    this.#folder = folder
    this.#findings = findings
  }

  of(role: Role): Worker[] {
    return [...this.#workers].filter((worker) => worker.role === role)
  }

  start(role: Role): Worker {
    const life = startLife(this.#argsOf(role))
    const worker: Worker = { name: `${role} ${++this.started}`, role, life, isDismissed: false }
    this.#workers.add(worker)
    life.child.stderr?.pipe(createWriteStream(join(this.#folder, `${worker.name}.log`)))
    life.ended.then(({ code, stdout, stderr }) => {
      this.#workers.delete(worker)
      this.#checkSpeech(worker, stderr)
      if ((code === 0 || isEndedBySignal(worker, code, stdout)) && role === "swap") this.#takeAnswer(worker, stdout)
      if (!worker.isDismissed) {
        this.#findings.add("a worker ended by itself", `${worker.name}, exit ${code}: ${stderr.trim().slice(-400)}`)
        this.start(role)
      }
    })
    return worker
  }

  /** Ends a worker at once, as a crash does. */
  async kill(worker: Worker): Promise<void> {
    worker.isDismissed = true
    worker.life.child.kill("SIGKILL")
    await worker.life.ended
  }

  /** Asks a worker to end. It must end well, and in time. */
  async dismiss(worker: Worker): Promise<void> {
    worker.isDismissed = true
    worker.life.child.kill("SIGTERM")
    const late = new AbortController()
    const end = await Promise.race([
      worker.life.ended,
      wait(patience, undefined, { signal: late.signal }).catch(() => undefined),
    ])
    late.abort()
    if (end === undefined) {
      this.#findings.add("a worker did not end after SIGTERM", worker.name)
      await this.kill(worker)
    } else if (end.code !== 0 && !isEndedBySignal(worker, end.code, end.stdout)) {
      this.#findings.add("a worker failed after SIGTERM", `${worker.name}, exit ${end.code}: ${end.stderr.trim()}`)
    }
  }

  dismissAll(): Promise<unknown> {
    return Promise.all([...this.#workers].map((worker) => this.dismiss(worker)))
  }

  /** Ends what is left, for example after an error of the test itself. */
  killAll(): Promise<unknown> {
    return Promise.all([...this.#workers].map((worker) => this.kill(worker)))
  }

  #checkSpeech({ name }: Worker, stderr: string): void {
    const found = secretText.exec(stderr)
    if (found !== null) this.#findings.add("stderr shows a text or a user", `${name}: ${found[0]}`)
    if (stderr.includes("cannot be reported")) this.#findings.add("a worker stopped to report its figures", name)
  }

  #takeAnswer({ name }: Worker, stdout: string): void {
    try {
      const { partitions }: { partitions: PartitionAnswer[] } = JSON.parse(stdout)
      this.answers.push(...partitions)
    } catch {
      this.#findings.add("a swapper ended without an answer", `${name}: ${stdout.slice(0, 200)}`)
    }
  }
}

/** True if a worker gave its answer, and then ended by the signal because a thread of its client was stuck. */
const isEndedBySignal = ({ isDismissed }: Worker, code: number | null, stdout: string) =>
  isDismissed && code === null && stdout.trim().endsWith("}")
