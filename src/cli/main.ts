import { systemCode } from "../kernels/error.ts"
import { runCommandLine } from "./run-command-line.ts"

// A size limit (ulimit -f) first arrives as a signal. With a handler, the write fails with EFBIG and is cleaned up.
process.on("SIGXFSZ", () => {})
process.stdout.on("error", (error) => {
  if (systemCode(error) === "EPIPE") process.exit() // the reader (head, less) has seen enough; the exit code stays
  process.stderr.write(`queryveil: the answer could not be written (${systemCode(error)}).\n`)
  process.exit(1)
})
const { code, failed } = await runCommandLine(process.argv.slice(2))
// A pending read from a pipe, a thread of a stream, or a call to a broker that does not answer would keep the process
// alive. What it printed is written first.
if (failed && code === 130) process.exit()
else process.stdout.write("", () => setTimeout(() => process.exit(), 5000).unref())
