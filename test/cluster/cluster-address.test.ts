import { describe, expect, test } from "vitest"
import { parseClusterAddress } from "#dist/cluster/cluster-address.js"
import { readClusterSecrets } from "#dist/cluster/credentials.js"
import { findInputs } from "#dist/log/inputs.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()

describe("the address of an index", () => {
  test.each([
    ["opensearch://search.example/logs", { host: "search.example", port: 9200, tls: true, index: "logs" }],
    ["elasticsearch://10.0.0.1:9201/a,b*", { kind: "elasticsearch", port: 9201, tls: true, index: "a,b*" }],
    ["opensearch://localhost:9200/logs", { tls: false }],
    ["opensearch://[::1]:9200/logs", { host: "::1", tls: false, name: "opensearch://[::1]:9200/logs" }],
    ["opensearch+https://localhost:9200/logs", { tls: true, name: "opensearch+https://localhost:9200/logs" }],
    ["opensearch+http://search.example/logs", { tls: false, name: "opensearch+http://search.example:9200/logs" }],
    ["opensearch://search.example/es/logs", { prefix: "/es", index: "logs" }],
  ])("%s uses TLS unless it is on this machine or says otherwise", (text, wanted) => {
    expect(parseClusterAddress(text)).toMatchObject(wanted)
  })

  test.each([
    ["opensearch://ann:s3cret@search.example/logs", /has a user name or password in it/],
    ["opensearch://search.example", /an index is missing/],
    ["opensearch://search.example/", /an index is missing/],
    ["opensearch://search.example/logs/_search", /not the name of an index/],
    ["opensearch://search.example/logs?pretty", /cannot be used/],
    ["opensearch://search.example:99999/logs", /not an address/],
    ["https://search.example/logs", /not an index/],
  ])("is refused with what to do: %s", (text, message) => {
    expect(() => parseClusterAddress(text)).toThrow(message)
    expect(() => parseClusterAddress(text)).not.toThrow(/s3cret/)
  })
})

test("a password in any address is hidden when a log cannot be read from there", async () => {
  const refused = findInputs(["https://ann:s3cret@search.example/logs"])
  await expect(refused).rejects.toThrow(/cannot be read from https:/)
  await expect(refused).rejects.not.toThrow(/s3cret/)
  await expect(refused).rejects.toMatchObject({ fields: { file: expect.not.stringContaining("s3cret") } })
})

describe("credentials", () => {
  const address = parseClusterAddress("opensearch://search.example:9200/logs")

  test.each([
    [{ QUERYVEIL_OPENSEARCH_USER: "ann", QUERYVEIL_OPENSEARCH_PASSWORD: "pw" }, "Basic YW5uOnB3"],
    [{ QUERYVEIL_OPENSEARCH_API_KEY: "a2V5" }, "ApiKey a2V5"],
    [{ QUERYVEIL_OPENSEARCH_TOKEN: "tok" }, "Bearer tok"],
    [{ QUERYVEIL_OPENSEARCH_CREDENTIALS: write('{"user": "ann", "password": "pw"}') }, "Basic YW5uOnB3"],
    [{ QUERYVEIL_OPENSEARCH_CREDENTIALS: write('{"search.example:9200": {"token": "one"}}') }, "Bearer one"],
    [{ QUERYVEIL_OPENSEARCH_CREDENTIALS: write('{"other.example:9200": {"token": "two"}}') }, undefined],
    [{}, undefined],
  ])("come from the environment or a file, for the host they belong to", async (environment, wanted) => {
    expect((await readClusterSecrets(address, environment)).authorization).toBe(wanted)
  })

  test.each([
    [{ QUERYVEIL_OPENSEARCH_USER: "ann" }, /Set both/],
    [{ QUERYVEIL_OPENSEARCH_TOKEN: "s3cret", QUERYVEIL_OPENSEARCH_API_KEY: "s3cret" }, /More than one kind/],
    [{ QUERYVEIL_OPENSEARCH_TOKEN: "s3cret\r\nx-evil: 1" }, /control character/],
    [{ QUERYVEIL_OPENSEARCH_CREDENTIALS: write("s3cret") }, /are not credentials/],
    [{ QUERYVEIL_OPENSEARCH_CREDENTIALS: write('{"user": "s3cret"}') }, /are not credentials/],
    [{ QUERYVEIL_OPENSEARCH_CREDENTIALS: "/nowhere" }, /cannot be read/],
    [{ QUERYVEIL_OPENSEARCH_CA: "/nowhere.pem" }, /cannot be read/],
  ])("that cannot be used are refused without being shown: %#", async (environment, message) => {
    const refused = readClusterSecrets(address, environment)
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.not.toThrow(/s3cret/)
  })

  test("are never sent in plain text to another machine", async () => {
    const plain = parseClusterAddress("opensearch+http://search.example/logs")
    await expect(readClusterSecrets(plain, { QUERYVEIL_OPENSEARCH_TOKEN: "tok" })).rejects.toThrow(/plain text/)
  })
})
