import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { QueryveilError } from "../../../kernels/error.ts"

/** Whether someone sits there who can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks on stderr for a line; `secret` is not echoed. Ctrl-C and the end of the input end the run. */
export async function askLine(question: string, { secret = false }: { secret?: boolean } = {}): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: secret ? silent : process.stderr, terminal: true })
  try {
    if (secret) process.stderr.write(question)
    return await new Promise<string>((resolve, reject) => {
      const stop = () => reject(new QueryveilError("interrupted", "Interrupted. Nothing was written."))
      lines.once("SIGINT", stop).once("close", stop)
      lines.question(secret ? "" : question).then(resolve, reject)
    })
  } finally {
    lines.close()
    if (secret) process.stderr.write("\n")
  }
}

/** A new passphrase, twice the same. */
export async function askNewPassphrase(): Promise<string> {
  for (;;) {
    const passphrase = await askLine("Passphrase for the new profile: ", { secret: true })
    if (passphrase.length < 8) process.stderr.write("At least 8 characters, please.\n")
    else if ((await askLine("Once more: ", { secret: true })) === passphrase) return passphrase
    else process.stderr.write("They differ.\n")
  }
}
