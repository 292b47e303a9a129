import { createServer, type Server, type Socket } from "node:net"
import { afterEach, expect, test } from "vitest"
import { readTopicSettings } from "#dist/stream/kafka/wire/read-topic-settings.js"
import { scramLogin } from "#dist/stream/kafka/wire/scram.js"
import { WireReader, WireWriter } from "#dist/stream/kafka/wire/wire-message.js"

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A broker that answers each request by its number in the protocol. */
async function fakeBroker(answers: Record<number, (body: WireReader, socket: Socket) => Buffer | undefined>) {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.on("data", (bytes) => {
      const request = new WireReader(bytes.subarray(4))
      const key = request.int16()
      request.int16()
      const correlation = request.int32()
      request.text()
      const body = answers[key]?.(request, socket)
      if (body === undefined) return
      const message = Buffer.concat([new WireWriter().int32(correlation).take(), body])
      // In two pieces, as a network may deliver it.
      const framed = new WireWriter().bytes(message).take()
      socket.write(framed.subarray(0, 6))
      setImmediate(() => socket.write(framed.subarray(6)))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const found = server.address()
  return `127.0.0.1:${typeof found === "object" && found !== null ? found.port : 0}`
}

const configs = (settings: Record<string, string>) => {
  const body = new WireWriter().int32(0).int32(1).int16(0).int16(-1).int8(2).text("t")
  body.int32(Object.keys(settings).length)
  for (const [name, value] of Object.entries(settings)) {
    body.text(name).text(value).int8(0).int8(5).int8(0)
    body.int32(1).text(name).text(value).int8(5)
  }
  return body.take()
}

test("the settings of a topic are read from a broker, or from the next one", async () => {
  const broker = await fakeBroker({ 32: () => configs({ "cleanup.policy": "compact", "retention.ms": "5" }) })
  const settings = { "cleanup.policy": "compact", "retention.ms": "5" }
  expect(await readTopicSettings("t", { brokers: [broker], settings: {} })).toEqual(settings)
  const deaf = await fakeBroker({ 32: (_body, socket) => void socket.destroy() })
  expect(await readTopicSettings("t", { brokers: [deaf, broker], settings: {} })).toEqual(settings)
  await expect(readTopicSettings("t", { brokers: [deaf], settings: {} })).rejects.toThrow(/closed the connection/)
})

test("an answer that is cut off, too long or of another request is an error", async () => {
  const cut = await fakeBroker({ 32: () => configs({ a: "b" }).subarray(0, 12) })
  await expect(readTopicSettings("t", { brokers: [cut], settings: {} })).rejects.toThrow(/ends early/)
  const foreign = await fakeBroker({ 32: (_body, socket) => void socket.write("HTTP/1.1 400 Bad Request\r\n\r\n") })
  await expect(readTopicSettings("t", { brokers: [foreign], settings: {} })).rejects.toThrow(/not from a Kafka broker/)
})

test("a login by PLAIN sends the name and the password, and a refusal says so", async () => {
  const seen: string[] = []
  const login = (code: number) => ({
    17: () => new WireWriter().int16(0).int32(0).take(),
    36: (body: WireReader) => {
      seen.push(body.bytes().toString())
      return new WireWriter().int16(code).int16(-1).int32(0).take()
    },
    32: () => configs({ a: "b" }),
  })
  const settings = { "security.protocol": "SASL_PLAINTEXT", "sasl.username": "ann", "sasl.password": "s3cret" }
  expect(await readTopicSettings("t", { brokers: [await fakeBroker(login(0))], settings })).toEqual({ a: "b" })
  expect(seen).toEqual(["\0ann\0s3cret"])
  const refused = readTopicSettings("t", { brokers: [await fakeBroker(login(58))], settings })
  await expect(refused).rejects.toThrow(/refused the name or the password/)
  await expect(refused).rejects.not.toThrow(/s3cret/)
})

test("a login by SCRAM proves that both sides know the password (the example of RFC 7677)", () => {
  const login = scramLogin("sha256", { user: "user", password: "pencil", nonce: "rOprNGfwEbeRWgbNEkqO" })
  expect(login.first).toBe("n,,n=user,r=rOprNGfwEbeRWgbNEkqO")
  const challenge = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
  expect(login.final(challenge)).toBe(
    "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
  )
  login.finish("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")
  expect(() => login.finish("v=AAAATRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")).toThrow(/does not know the password/)
  expect(() => login.final("r=other,s=AA==,i=4096")).toThrow(/unusable/)
  expect(() => login.final(challenge.replace("4096", "1"))).toThrow(/unusable/)
})
