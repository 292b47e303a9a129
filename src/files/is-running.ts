import { systemCode } from "../kernels/error.ts"

/** Whether a process of this machine still runs, be it another user's. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === "EPERM"
  }
}
