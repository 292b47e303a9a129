import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto"

/** Rounds that a server may ask for. More would only keep this process busy. */
const mostRounds = 10_000_000

/**
 * One login by SCRAM (RFC 5802), which proves that both sides know the password without sending it. `first` and `final`
 * are the messages to send; `finish` throws if the server does not know the password.
 */
export function scramLogin(
  hash: "sha256" | "sha512",
  { user, password, nonce = randomBytes(18).toString("base64") }: { user: string; password: string; nonce?: string },
) {
  const name = user.replaceAll("=", "=3D").replaceAll(",", "=2C")
  const bare = `n=${name},r=${nonce}`
  let expected = Buffer.alloc(0)
  return {
    first: `n,,${bare}`,
    final(challenge: string): string {
      const { r = "", s = "", i = "" } = fieldsOf(challenge)
      const rounds = Number(i)
      if (!r.startsWith(nonce) || r === nonce || !(rounds >= 4096 && rounds <= mostRounds))
        throw new Error("The broker sent an unusable SCRAM challenge.")
      const salted = pbkdf2Sync(password.normalize("NFKC"), Buffer.from(s, "base64"), rounds, sizes[hash], hash)
      const hmac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest()
      const clientKey = hmac(salted, "Client Key")
      const without = `c=biws,r=${r}`
      const message = `${bare},${challenge},${without}`
      const signature = hmac(createHash(hash).update(clientKey).digest(), message)
      expected = hmac(hmac(salted, "Server Key"), message)
      const proof = clientKey.map((byte, at) => byte ^ (signature[at] ?? 0))
      return `${without},p=${Buffer.from(proof).toString("base64")}`
    },
    finish(answer: string): void {
      const given = Buffer.from(fieldsOf(answer).v ?? "", "base64")
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw new Error("The broker does not know the password.")
    },
  }
}

const sizes = { sha256: 32, sha512: 64 }

/** `r=…,s=…,i=…` as fields. A value may contain `=`. */
function fieldsOf(text: string): Record<string, string | undefined> {
  return Object.fromEntries(text.split(",").map((field) => [field.slice(0, 1), field.slice(2)]))
}
