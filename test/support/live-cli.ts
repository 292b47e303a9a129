import { startCli } from "./run-cli.ts"

/** `queryveil stream run` with these arguments: where it listens, and what becomes of it. */
export function startStream(args: readonly string[]) {
  const { child, ended } = startCli(["stream", "run", ...args])
  let text = ""
  const listening = new Promise<URL>((resolve, reject) => {
    child.stderr.on("data", (more: string) => {
      text += more
      const found = /listening on (\S+)\n/.exec(text)
      if (found !== null) resolve(new URL(found[1]))
    })
    ended.then(({ stderr }) => reject(new Error(`it ended before it listened: ${stderr}`)), reject)
  })
  listening.catch(() => {})
  return { child, ended, listening }
}
