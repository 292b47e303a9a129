import { statusLine } from "../../../server/status-line.ts"
import type { LiveStream } from "../../../stream/live/live-stream.ts"
import type { StreamFigures } from "../../../stream/live/stream-figures.ts"
import type { Session } from "../../session.ts"

const every = 1000

/** Shows a line of figures on a terminal once a second; elsewhere nothing. */
export class StatusDisplay {
  readonly #timer: NodeJS.Timeout | undefined
  #before: StreamFigures | undefined

  constructor(stream: LiveStream, session: Session) {
    if (!session.showsStatus) return
    this.#timer = setInterval(() => {
      const figures = stream.figures()
      session.status(statusLine(figures, this.#before))
      this.#before = figures
    }, every)
    this.#timer.unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
