import { createReadStream, fstatSync } from "node:fs"
import type { Readable } from "node:stream"
import { readError } from "../../files/read-error.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { standardInput } from "../../log/inputs.ts"
import { BatchMaker } from "./batch-maker.ts"
import type { LineChoice } from "./line-format.ts"
import { type LiveInput, Offering, offerArrivals } from "./live-input.ts"
import { readArrivals } from "./read-arrivals.ts"

/** Standard input, read to its end. Its last line may lack the line feed. It cannot be resumed where it stopped. */
export function stdinInput(options: LineChoice & { source?: Readable; note?: (text: string) => void }): LiveInput {
  return {
    async run(stream, signal) {
      const source = options.source ?? openStdin()
      const offering = new Offering(stream)
      const maker = new BatchMaker({ ...options, path: standardInput })
      options.note?.("listening on the standard input")
      try {
        await offerArrivals(readArrivals(source, signal), maker, offering)
      } catch (error) {
        throw error instanceof QueryveilError ? error : readError(standardInput, error)
      } finally {
        source.destroy()
      }
      await offering.offer(maker.finish(signal.aborted ? "leave" : "take"))
      await offering.settle()
    },
  }
}

function openStdin(): Readable {
  return fstatSync(0).isFile() ? createReadStream("", { fd: 0, highWaterMark: 1 << 20 }) : process.stdin
}
