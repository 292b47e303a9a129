import { dealingTable, parseSecret } from "#dist/swapper/dealing-secret.js"
import { ensure, type FuzzTarget } from "../target.ts"

const key = "0123456789abcdef".repeat(4)

/** The file of `--dealing-key`: refused without its content, or a secret that is the same after it is written again. */
export const target: FuzzTarget = {
  covers: ["swapper/dealing-secret"],
  words: ["version\tkey\n", "1\t", "\r\n", "\n", key, key.toUpperCase(), "0"],
  seeds: () => [key, `${key}\n`, `version\tkey\n1\t${key}\n`, `version\tkey\r\n12\t${key}\r\n`],
  check: (input) => {
    const secret = parseSecret(Buffer.from(input).toString("utf8"))
    ensure(secret.key.length === 32 && secret.version >= 1, "a secret has 32 bytes and a version from 1")
    const { columns, cell } = dealingTable(secret)
    const again = parseSecret(`${columns.join("\t")}\n${cell(0, 0)}\t${cell(0, 1)}\n`)
    ensure(again.version === secret.version, "a version is read as it was written")
    ensure(Buffer.compare(again.key, secret.key) === 0, "a key is read as it was written")
  },
}
