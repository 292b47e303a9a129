import { once } from "node:events"
import type { Readable, Writable } from "node:stream"
import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { isObject, type JsonObject, parseJson } from "../../log/formats/json-record.ts"
import { packageVersion } from "../../release/package-version.ts"
import type { Kernel, KernelEnd } from "./kernel.ts"

const lineFeed = 10

/**
 * Runs a kernel over documents, one a line, until the input ends. The last line that it writes says how much was read
 * and written. An error never quotes the input, because engines copy what a kernel prints into their logs.
 */
export async function runKernel(
  { kernel, options }: { kernel: Kernel; options: JsonObject },
  { input, output }: { input: Readable; output: Writable },
  context: RunContext,
): Promise<void> {
  const run = await kernel.start(options, context)
  const count = { read: 0, written: 0 }
  const write = async (documents: readonly object[]) => {
    if (documents.length === 0) return
    count.written += documents.length
    await put(output, documents)
  }
  for await (const lines of readLines(input)) {
    const documents = lines.map((line) => {
      const document = parseJson(line)
      if (isObject(document)) return document
      throw new QueryveilError("kernel-input", `The kernel ${kernel.name} got a line that is not a JSON object.`)
    })
    count.read += documents.length
    await write(await run.take(documents))
  }
  await write((await run.finish?.()) ?? [])
  const end: KernelEnd = { end: { ...count, version: packageVersion() } }
  await put(output, [end])
}

async function put(output: Writable, documents: readonly object[]): Promise<void> {
  const text = `${documents.map((document) => JSON.stringify(document)).join("\n")}\n`
  if (!output.write(text)) await once(output, "drain")
}

/** The lines of a stream, those of one chunk at a time. A line that spans chunks comes with the last of them. */
async function* readLines(input: Readable): AsyncGenerator<string[]> {
  let held: Buffer[] = []
  for await (const given of input) {
    const chunk: Buffer = Buffer.from(given)
    const last = chunk.lastIndexOf(lineFeed)
    if (last < 0) {
      held.push(chunk)
      continue
    }
    yield Buffer.concat([...held, chunk.subarray(0, last)])
      .toString("utf8")
      .split("\n")
    held = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : []
  }
  if (held.length > 0) yield [Buffer.concat(held).toString("utf8")]
}
