import type { Command } from "commander"
import { Type } from "#typebox"
import { readKernelOptions } from "../../engine/kernels/kernel-command.ts"
import { findKernel } from "../../engine/kernels/registry.ts"
import { runKernel } from "../../engine/kernels/run-kernel.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { defineCommand } from "../define-command.ts"

/** `kernel NAME`: a step of a plan. An engine runs it next to the data. */
export function kernelCommand(): Command {
  return defineCommand({
    name: "kernel",
    summary: "run one step of an engine's plan on the standard input (Spark starts it; docs/spark.md)",
    argument: [
      { syntax: "<name>", description: "the step" },
      { syntax: "[options]", description: "its options, as the driver writes them" },
    ],
    flags: Type.Object({}),
    run: async (session, _flags, [name, word]) => {
      if (name === undefined) throw new QueryveilError("usage", "Name a kernel.")
      const [kernel, options] = [await findKernel(name), readKernelOptions(word)]
      await runKernel({ kernel, options }, { input: process.stdin, output: process.stdout }, session.context)
      return 0
    },
  })
}
