import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { QueryveilError } from "../../../kernels/error.ts"

/** True if a person at a terminal can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks for a line on stderr. A `secret` is not echoed. Ctrl-C, the end of the input and the signal end the run. */
export async function askLine(
  question: string,
  { secret = false, signal }: { secret?: boolean; signal: AbortSignal },
): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: secret ? silent : process.stderr, terminal: true })
  const ended = new AbortController()
  try {
    if (secret) process.stderr.write(question)
    return await new Promise<string>((resolve, reject) => {
      const stop = () => reject(new QueryveilError("interrupted", "Interrupted. Nothing was written."))
      lines.once("SIGINT", stop).once("close", stop)
      if (signal.aborted) stop()
      signal.addEventListener("abort", stop, { signal: ended.signal })
      lines.question(secret ? "" : question).then(resolve, reject)
    })
  } finally {
    ended.abort()
    lines.close()
    if (secret) process.stderr.write("\n")
  }
}

/** Asks for a new passphrase of at least 8 characters until it is entered twice the same. */
export async function askNewPassphrase(signal: AbortSignal): Promise<string> {
  for (;;) {
    const passphrase = await askLine("Passphrase for the new profile: ", { secret: true, signal })
    if (passphrase.length < 8) process.stderr.write("At least 8 characters, please.\n")
    else if ((await askLine("Once more: ", { secret: true, signal })) === passphrase) return passphrase
    else process.stderr.write("They differ.\n")
  }
}
