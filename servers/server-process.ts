import { type ChildProcess, spawn } from "node:child_process"
import { connect, createServer } from "node:net"

/** Ends a process and all that it started. */
export function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // it has just ended
  }
}

/** True if something listens at the port on loopback. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.on("error", () => resolve(false))
  })
}

/** Ports that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, "127.0.0.1", () => {
            const found = server.address()
            resolve(typeof found === "object" && found !== null ? found.port : 0)
          }),
        ),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Ends processes with all that they started, and removes their folder, also if this process is killed. */
export interface ProcessGuard {
  watch(child: ChildProcess): void
  /** Does nothing any more. */
  dismiss(): void
}

/** A process of its own, which notices by a closed pipe that this process has ended. */
export function guardProcesses(folder: string): ProcessGuard {
  const script = 'while read group; do groups="$groups $group"; done; kill -s KILL -- $groups; sleep 1; rm -rf "$1"'
  const guard = spawn("sh", ["-c", script, "guard", folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  guard.unref()
  guard.stdin.on("error", () => {}) // dismissed
  if ("unref" in guard.stdin && typeof guard.stdin.unref === "function") guard.stdin.unref()
  return {
    watch({ pid }) {
      if (pid !== undefined) guard.stdin.write(`-${pid}\n`)
    },
    dismiss: () => guard.kill("SIGKILL"),
  }
}
