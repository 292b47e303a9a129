import { expect } from "vitest"

/** Expects that the value equals the reference to a relative 1e-9, however small both are. */
export function expectClose(value: number, reference: number): void {
  const allowed = Math.abs(reference) * 1e-9
  expect(Math.abs(value - reference), `${value} instead of ${reference}`).toBeLessThanOrEqual(allowed)
}
