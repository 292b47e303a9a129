import type { Reporter, TestModule } from "vitest/node"

/** Prints the ten slowest test files at the end, so that the suite stays fast. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const timed = modules
      .map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 10)
    process.stdout.write("\n Slowest files\n")
    for (const { name, ms } of timed) process.stdout.write(`${(ms / 1000).toFixed(1).padStart(8)} s  ${name}\n`)
  }
}
