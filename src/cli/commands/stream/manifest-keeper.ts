import { writeFileWhole } from "../../../files/write-file.ts"
import type { LiveStream } from "../../../stream/live/live-stream.ts"

const every = 10_000

/** `FILE.manifest.json`, next to the output file. */
export const manifestPath = (file: string) => `${file}.manifest.json`

/**
 * Keeps a description of the releases of a stream next to them: how they are made, and what is promised now. It is
 * written when the run starts, when something in it changes, and at the end with the number of releases.
 */
export class ManifestKeeper {
  readonly #path: string
  readonly #stream: LiveStream
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #written = ""

  private constructor(stream: LiveStream, { path, now }: { path: string; now: () => number }) {
    this.#stream = stream
    this.#path = path
    this.#now = now
    // An error is ignored: the output itself reports a full disk.
    this.#timer = setInterval(() => this.#write(false).catch(() => {}), every)
    this.#timer.unref()
  }

  static async open(stream: LiveStream, options: { path: string; now: () => number }): Promise<ManifestKeeper> {
    const keeper = new ManifestKeeper(stream, options)
    await keeper.#write(true)
    return keeper
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#write(true)
  }

  async #write(always: boolean): Promise<void> {
    const { k, depth, branches, mode, users, promised, reasons, released } = this.#stream.figures()
    const said = {
      queryveil: 1,
      method: "swap",
      stream: true,
      parameters: { k, depth: branches === undefined ? depth : "auto", mode, users },
      promised,
      reasons,
    }
    const text = JSON.stringify(said)
    if (text === this.#written && !always) return
    this.#written = text
    const complete = { ...said, released, updated: new Date(this.#now()).toISOString() }
    await writeFileWhole(this.#path, `${JSON.stringify(complete, null, 2)}\n`, { mode: 0o600 })
  }
}
