import { QueryveilError } from "../../kernels/error.ts"

/** The error of a kernel that got something else than its driver sends. It never quotes what it got. */
export const brokenInput = (kernel: string) =>
  new QueryveilError("kernel-input", `The kernel ${kernel} got input that its driver does not send.`)
