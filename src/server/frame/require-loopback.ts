import { QueryveilError } from "../../kernels/error.ts"
import { isLoopback } from "../../kernels/loopback.ts"

/** Refuses a host that other machines could reach. `flag` is the option that named it. */
export function requireLoopback(host: string, flag: string): void {
  if (isLoopback(host)) return
  throw new QueryveilError(
    "option-value",
    [
      `${flag} ${host}: not an address of this machine, which is the only kind that is allowed.`,
      "Give 127.0.0.1:PORT, and reach it through ssh -L or a proxy of your own.",
    ].join(" "),
    { flag },
  )
}
