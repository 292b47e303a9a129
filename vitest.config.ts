import { configDefaults, defineConfig } from "vitest/config"
import { SlowestFiles } from "./test/slowest-files.ts"

const slow = "test/**/*.slow.test.ts"
const alone = "test/**/*.alone.test.ts"
const browser = "test/**/*.browser.test.ts"
const kafka = "test/**/*.kafka.test.ts"
const opensearch = "test/**/*.opensearch.test.ts"
const spark = "test/**/*.spark.test.ts"
// Only what hangs takes so long: a test that is slow on a busy machine does not fail.
const patience = 1_800_000

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, slow, alone, browser, kafka, opensearch, spark],
        },
      },
      // Extensions stay registered, and the engine counts for the whole process. So each file has its own process.
      { extends: true, test: { name: "alone", include: [alone], isolate: true } },
      { extends: true, test: { name: "slow", include: [slow] } },
      { extends: true, test: { name: "browser", include: [browser] } },
      // A file waits for its brokers most of the time, so two at once hardly disturb each other.
      { extends: true, test: { name: "kafka", include: [kafka] } },
      // Each file starts a server, and there is memory for one.
      { extends: true, test: { name: "opensearch", include: [opensearch], fileParallelism: false } },
      { extends: true, test: { name: "spark", include: [spark], fileParallelism: false } },
    ],
    reporters: ["default", new SlowestFiles()],
    testTimeout: patience,
    hookTimeout: patience,
    teardownTimeout: patience,
    expect: { poll: { timeout: patience } },
    // The built package runs as it is: not transformed, and loaded by Node.
    server: { deps: { external: [/\/dist\//] } },
    pool: "forks",
    // What one file loads and opens serves the next: a test leaves no state behind in the modules of dist.
    isolate: false,
    maxWorkers: 2,
  },
})
