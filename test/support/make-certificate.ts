import { spawnSync } from "node:child_process"
import { join } from "node:path"

/** A certificate for 127.0.0.1 that vouches for itself. */
export function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
  const made = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"],
    ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
  ])
  if (made.status !== 0) throw new Error(String(made.stderr))
  return { certificate, key }
}
