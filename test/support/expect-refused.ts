import { expect } from "vitest"
import { marker } from "./aol-log.ts"
import type { CliResult } from "./run-cli.ts"

/** Checks that a command's output never repeats the content of a log. */
export function expectDiscreet({ stdout, stderr, readAs }: CliResult): void {
  expect(stdout + stderr + readAs.join("\n")).not.toContain(marker)
}

/**
 * Checks a refusal that a person can act on: the exit code, a short message that matches, no answer, no stack, and no
 * text from the log.
 */
export function expectRefused(result: CliResult, wanted: { code: number; message: RegExp }): void {
  expectDiscreet(result)
  expect(result.stderr).toMatch(wanted.message)
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: wanted.code, stdout: "" })
  expect(result.stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3) // a hint how to get help may follow
  expect(result.stderr).not.toMatch(/^ +at /m)
}
