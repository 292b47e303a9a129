import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { MemberOptions, MemberResult } from "./member-options.ts"

const program = fileURLToPath(new URL("./member.js", import.meta.url))

/** A process that is ready to work. */
export interface Member {
  /** Lets it begin. */
  go(): void
  /** Asks it to end now. */
  stop(): void
  /** What it did, when it has ended. */
  done: Promise<MemberResult>
}

/** Starts a process, and waits until it is ready: what it does before it works is not measured. */
export async function openMember(options: MemberOptions): Promise<Member> {
  const env = { ...process.env, UV_THREADPOOL_SIZE: "64" } // as the command line has it
  const child = fork(program, [JSON.stringify(options)], { env })
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  child.once("close", () => process.off("exit", kill))
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
  })
  const done = new Promise<MemberResult>((resolve, reject) => {
    child.on("message", (message: "ready" | MemberResult) => {
      if (message === "ready") isReady()
      else resolve(message)
    })
    child.on("close", (code) => reject(new Error(`a process of the bench ended early, with ${code}`)))
  })
  await Promise.race([ready, done])
  return { go: () => child.send("go"), stop: () => child.send("stop"), done }
}

/** Runs one process from start to end. */
export async function runMember(options: MemberOptions): Promise<MemberResult> {
  const member = await openMember(options)
  member.go()
  return member.done
}
