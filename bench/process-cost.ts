import { existsSync, readdirSync, readFileSync } from "node:fs"

/** Ticks of the clock in which Linux counts processor time. */
const ticksPerSecond = 100

/** A process and everything that it started, as long as they run. */
export function treeOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return []
  const children = readTasks(tasks)
  return [pid, ...children.flatMap(treeOf)]
}

function readTasks(tasks: string): number[] {
  try {
    return readdirSync(tasks).flatMap((task) =>
      readFileSync(`${tasks}/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
    )
  } catch {
    return [] // the process has just ended
  }
}

/** Processor seconds of processes, of what they started, and of what they waited for. */
export function secondsOf(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids.flatMap(treeOf)) {
    const text = readOrEmpty(`/proc/${pid}/stat`)
    // After the name in brackets: state is field 3, and utime, stime, cutime and cstime are fields 14 to 17.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  }
  return ticks / ticksPerSecond
}

/** The most memory that a process ever had, in megabytes; 0 if it has ended. */
export function peakMegabytesOf(pid: number): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB/m.exec(readOrEmpty(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) / 1024
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}
