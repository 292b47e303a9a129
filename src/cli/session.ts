import { Value } from "#typebox"
import { refuseInput } from "../files/reserve.ts"
import { createContext, type RunContext } from "../kernels/context.ts"
import { describeReading } from "../log/formats/reading.ts"
import type { ReadResult } from "../log/parse-sources.ts"
import { readLog, readOptions } from "../log/read-log.ts"
import type { ProbeSubject } from "../probes/probe.ts"
import { fitTruth } from "../release/fit-truth.ts"
import { type Label, readLabels } from "../release/labels.ts"
import { type AuditFolder, openAudit } from "../release/read-audit.ts"
import { readRelease } from "../release/read-release.ts"
import { isOfOtherLog } from "../release/receipt.ts"
import { readTruth, type Truth, type TruthFolder } from "../release/truth.ts"
import { refusePrivate } from "../release/write-release.ts"
import { toJson } from "./answers.ts"
import type { commonFlags, readFlags } from "./common-flags.ts"
import type { Given } from "./flags.ts"
import { tameText } from "./print.ts"
import { ProgressLine } from "./progress.ts"
import { writeRejects } from "./rejects.ts"

/** What a command's action works with: a context that reports and can be interrupted, and ways to speak. */
export class Session {
  readonly context: RunContext
  readonly #json: boolean
  readonly #quiet: boolean
  readonly #line: ProgressLine
  readonly #controller = new AbortController()

  constructor(flags: Given<typeof commonFlags>) {
    this.#json = flags.json ?? false
    this.#quiet = flags.quiet ?? false
    this.#line = new ProgressLine(process.stderr, { quiet: this.#quiet })
    this.context = createContext({
      signal: this.#controller.signal,
      report: (progress) => this.#line.report(progress),
      ...(flags.workers === undefined ? {} : { workers: flags.workers }),
    })
    for (const signal of signals) process.on(signal, this.#interrupt)
  }

  /** The first signal lets the run clean up; a second one does not wait for that. */
  readonly #interrupt = () => {
    if (this.#controller.signal.aborted) process.exit(130)
    this.#controller.abort()
  }

  /** A log, with what is to be said about it. That the log of one person has one user is no news. */
  async readLog(
    paths: readonly string[],
    flags: Given<typeof readFlags>,
    { ofOne = false }: { ofOne?: boolean } = {},
  ): Promise<ReadResult> {
    if (flags.cache !== undefined) await refusePrivate(flags.cache) // the whole log, as it was parsed
    const result = await readLog(paths, Value.Clean(readOptions, { ...flags }) as typeof flags, this.context)
    if (flags.rejects !== undefined) await writeRejects(flags.rejects, result.intake)
    for (const reading of result.intake.read) this.note(describeReading(reading, result.intake.unit))
    for (const text of [...result.intake.warnings, ...(ofOne ? [] : result.intake.doubts)]) this.warn(text)
    return result
  }

  /** The log that a release is held against, which no answer may overwrite. */
  async readOriginal(
    paths: readonly string[],
    flags: Given<typeof readFlags>,
    { folder, output }: { folder: string; output: string | undefined },
  ): Promise<ReadResult> {
    const result = await this.readLog(paths, flags)
    if (output !== undefined) await refuseInput(output, result.intake.files)
    if (await isOfOtherLog(folder, result))
      this.warn("the receipt of the release is about another log: what is found against this one means nothing")
    return result
  }

  async openAudit(folder: string | undefined): Promise<{ audit?: AuditFolder }> {
    return folder === undefined ? {} : { audit: await openAudit(folder) }
  }

  /** A second release with its audit, where one is named. */
  async openOther({
    other,
    otherAudit,
  }: {
    other?: string
    otherAudit?: string
  }): Promise<Pick<ProbeSubject, "other">> {
    if (other === undefined) return {}
    return { other: { release: await readRelease(other), ...(await this.openAudit(otherAudit)) } }
  }

  async readTruth(folder: string | undefined): Promise<TruthFolder | undefined> {
    return folder === undefined ? undefined : readTruth(folder)
  }

  /** The truth about a log, where there is one; refused if it is about another. */
  fitTruth(given: TruthFolder | undefined, input: ReadResult): { truth?: Truth } {
    if (given === undefined) return {}
    const { truth, warnings } = fitTruth(given, input)
    for (const text of warnings) this.warn(text)
    return { truth }
  }

  async readLabels(file: string | undefined): Promise<{ labels?: Label[] }> {
    return file === undefined ? {} : { labels: await readLabels(file) }
  }

  /** For people, on stdout; silent under --json. */
  say(text: string): void {
    this.#line.clear()
    if (!this.#json) process.stdout.write(tameText(`${text}\n`))
  }

  /** For machines, on stdout; silent without --json. */
  answer(value: unknown): void {
    this.#line.clear()
    if (this.#json) process.stdout.write(toJson(value))
  }

  warn(text: string): void {
    this.#line.clear()
    if (!this.#quiet) process.stderr.write(tameText(`warning: ${text}\n`))
  }

  /** For whoever sits at the terminal, on stderr. */
  note(text: string): void {
    this.#line.clear()
    if (!this.#quiet) process.stderr.write(tameText(`${text}\n`))
  }

  /** Whether there is a terminal for a line of figures. */
  get showsStatus(): boolean {
    return this.#line.enabled
  }

  /** A line that takes the place of the last one. */
  status(text: string): void {
    this.#line.draw(text)
  }

  /** The outcome of a run whose records may have gone to stdout: then it is told on stderr. */
  conclude(value: unknown, text: string, { toStdout }: { toStdout: boolean }): void {
    if (toStdout) {
      this.answer(value)
      this.say(text)
      return
    }
    this.#line.clear()
    if (this.#json) process.stderr.write(`${JSON.stringify(value)}\n`)
    else if (!this.#quiet) process.stderr.write(tameText(`${text}\n`))
  }

  /** Much text on stdout: waits for a slow reader. */
  async write(text: string): Promise<void> {
    this.#line.clear()
    if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once("drain", resolve))
  }

  close(): void {
    this.#line.clear()
    for (const signal of signals) process.off(signal, this.#interrupt)
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
