import { toJson } from "../app/answer-files.ts"
import { type AnswerName, schemaName } from "../app/answers/versions.ts"
import { createContext, type RunContext } from "../kernels/context.ts"
import { colourStates, wantsColour } from "./colour.ts"
import type { commonFlags } from "./common-flags.ts"
import type { Given } from "./flags.ts"
import { tameText, wrapProse } from "./print.ts"
import { ProgressLine } from "./progress.ts"

/** What the action of a command works with: a context that reports and can be interrupted, and ways to print. */
export class Session {
  readonly context: RunContext
  readonly #json: boolean
  readonly #quiet: boolean
  readonly #line: ProgressLine
  readonly #controller = new AbortController()
  readonly #warnings = new Set<string>()

  constructor(flags: Given<typeof commonFlags>) {
    this.#json = flags.json ?? false
    this.#quiet = flags.quiet ?? false
    this.#line = new ProgressLine(process.stderr, { quiet: this.#quiet })
    this.context = createContext({
      signal: this.#controller.signal,
      report: (progress) => this.#line.report(progress),
      notify: ({ kind, text }) => (kind === "warning" ? this.warn(text) : this.note(text)),
      ...(flags.workers === undefined ? {} : { workers: flags.workers }),
    })
    for (const signal of signals) process.on(signal, this.#interrupt)
  }

  /** The first signal lets the run clean up; a second one exits at once. */
  readonly #interrupt = () => {
    if (this.#controller.signal.aborted) process.exit(130)
    this.#controller.abort()
  }

  /** Prints text for readers on stdout, in colour if supported. Silent under --json. */
  say(text: string): void {
    this.#line.clear()
    if (this.#json) return
    const tame = tameText(`${text}\n`)
    const lines = process.stdout.isTTY ? wrapProse(tame) : tame // a program expects one sentence per line
    process.stdout.write(wantsColour(process.stdout) ? colourStates(lines) : lines)
  }

  /** Prints an answer for machines on stdout, with the name of its schema. Silent without --json. */
  answer(name: AnswerName, value: object): void {
    this.#line.clear()
    if (this.#json) process.stdout.write(toJson(name, value))
  }

  warn(text: string): void {
    this.#warnings.add(text)
    this.#line.clear()
    if (!this.#quiet) process.stderr.write(tameText(`warning: ${text}\n`))
  }

  /** Prints a warning, unless this run has printed it before. */
  warnOnce(text: string): void {
    if (!this.#warnings.has(text)) this.warn(text)
  }

  /** Prints a note on stderr for the person at the terminal. */
  note(text: string): void {
    this.#line.clear()
    if (!this.#quiet) process.stderr.write(tameText(`${text}\n`))
  }

  /** True if there is a terminal for a line of figures. */
  get showsStatus(): boolean {
    return this.#line.enabled
  }

  /** Draws a line that replaces the last one. */
  status(text: string): void {
    this.#line.draw(text)
  }

  /** Prints the outcome of a run. If its records went to stdout, the outcome goes to stderr. */
  conclude(name: AnswerName, value: object, { text, toStdout }: { text: string; toStdout: boolean }): void {
    if (toStdout) {
      this.answer(name, value)
      this.say(text)
      return
    }
    this.#line.clear()
    if (this.#json) process.stderr.write(`${JSON.stringify({ schema: schemaName(name), ...value })}\n`)
    else if (!this.#quiet) process.stderr.write(tameText(`${text}\n`))
  }

  /** Writes large text to stdout, and waits for a slow reader. */
  async write(text: string): Promise<void> {
    this.#line.clear()
    if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once("drain", resolve))
  }

  close(): void {
    this.#line.close()
    for (const signal of signals) process.off(signal, this.#interrupt)
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
