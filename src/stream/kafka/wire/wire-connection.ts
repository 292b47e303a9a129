import { readFile } from "node:fs/promises"
import { connect as connectPlain, isIP, type Socket } from "node:net"
import { connect as connectSecurely } from "node:tls"
import type { KafkaSettings } from "../kafka-settings.ts"
import { scramLogin } from "./scram.ts"
import { WireReader, WireWriter } from "./wire-message.ts"

const saslHandshake = 17
const saslAuthenticate = 36
/** Answers are small. A longer one is not from a broker. */
const mostBytes = 16 << 20
const patience = 10_000

/** One connection to a broker, for requests that the client library does not have. */
export interface WireConnection {
  /** Sends a request and returns the body of its answer. */
  ask(api: { key: number; version: number }, body: Buffer): Promise<WireReader>
  close(): void
}

/** Thrown if the way to log in is one that only the client library has. */
export class UnknownLogin extends Error {}

/** Connects to a broker, over TLS and with a login if the settings say so. */
export async function connectBroker(broker: string, settings: KafkaSettings): Promise<WireConnection> {
  const protocol = (settings["security.protocol"] ?? "plaintext").toLowerCase()
  const socket = await openSocket(broker, protocol.endsWith("ssl"), settings)
  const connection = talkOver(socket)
  try {
    if (protocol.startsWith("sasl_")) await logIn(connection, settings)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

async function openSocket(broker: string, isSecure: boolean, settings: KafkaSettings): Promise<Socket> {
  const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(broker) ?? []
  const read = async (path: string | undefined) => (path === undefined ? undefined : readFile(path))
  const isNamed = (settings["ssl.endpoint.identification.algorithm"] ?? "https") === "https"
  const secure = isSecure && {
    ca: await read(settings["ssl.ca.location"]),
    cert: await read(settings["ssl.certificate.location"]),
    key: await read(settings["ssl.key.location"]),
    passphrase: settings["ssl.key.password"],
    servername: isIP(host) === 0 ? host : "",
    ...(isNamed ? {} : { checkServerIdentity: () => undefined }),
  }
  return new Promise((resolve, reject) => {
    const address = { host, port: Number(port) }
    const socket = secure === false ? connectPlain(address) : connectSecurely({ ...address, ...secure })
    socket.setTimeout(patience, () => socket.destroy(new Error("The broker did not answer in time.")))
    socket.once("error", reject)
    socket.once(secure === false ? "connect" : "secureConnect", () => {
      socket.off("error", reject)
      resolve(socket)
    })
  })
}

function talkOver(socket: Socket): WireConnection {
  let received = Buffer.alloc(0)
  let correlation = 0
  let awaited: { resolve(message: Buffer): void; reject(error: unknown): void } | undefined
  const end = (error: unknown) => {
    awaited?.reject(error)
    awaited = undefined
  }
  socket.on("data", (bytes) => {
    received = Buffer.concat([received, bytes])
    if (received.length < 4) return
    const length = received.readUInt32BE(0)
    if (length > mostBytes) {
      socket.destroy(new Error("The answer is not from a Kafka broker."))
      return
    }
    if (received.length < 4 + length) return
    awaited?.resolve(received.subarray(4, 4 + length))
    awaited = undefined
    received = received.subarray(4 + length)
  })
  socket.on("error", end)
  socket.on("close", () => end(new Error("The broker closed the connection.")))
  return {
    async ask({ key, version }, body) {
      if (socket.destroyed) throw new Error("The broker closed the connection.")
      const head = new WireWriter().int16(key).int16(version).int32(++correlation).text("queryveil").take()
      const answer = new Promise<Buffer>((resolve, reject) => {
        awaited = { resolve, reject }
      })
      socket.write(new WireWriter().bytes(Buffer.concat([head, body])).take())
      const reader = new WireReader(await answer)
      if (reader.int32() !== correlation) throw new Error("The answer belongs to another request.")
      return reader
    },
    close: () => socket.destroy(),
  }
}

async function logIn(connection: WireConnection, settings: KafkaSettings): Promise<void> {
  const {
    "sasl.mechanisms": mechanism = "PLAIN",
    "sasl.username": user = "",
    "sasl.password": password = "",
  } = settings
  const scram = /^SCRAM-SHA-(256|512)$/.exec(mechanism)
  if (mechanism !== "PLAIN" && scram === null) throw new UnknownLogin(`Login by ${mechanism} is not known here.`)
  const handshake = await connection.ask({ key: saslHandshake, version: 1 }, new WireWriter().text(mechanism).take())
  if (handshake.int16() !== 0) throw new Error(`The broker does not accept a login by ${mechanism}.`)
  const send = async (text: string) => {
    const answer = await connection.ask(
      { key: saslAuthenticate, version: 0 },
      new WireWriter().bytes(Buffer.from(text)).take(),
    )
    if (answer.int16() !== 0) throw new Error("The broker refused the name or the password.")
    answer.text()
    return answer.bytes().toString("utf8")
  }
  if (scram === null) {
    await send(`\0${user}\0${password}`)
    return
  }
  const login = scramLogin(scram[1] === "256" ? "sha256" : "sha512", { user, password })
  login.finish(await send(login.final(await send(login.first))))
}
