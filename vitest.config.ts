import { defineConfig } from "vitest/config"
import { SlowestFiles } from "./test/slowest-files.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", new SlowestFiles()],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // The built package runs as it is: not transformed, and loaded by Node.
    server: { deps: { external: [/\/dist\//] } },
    pool: "forks",
    maxWorkers: 2,
  },
})
