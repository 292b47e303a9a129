import { filePath } from "../../files/file-place.ts"
import { describeAddress, parseHost, type SocketAddress } from "../address.ts"
import { fileInput } from "../inputs/file-input.ts"
import { fileInputName } from "../inputs/file-position.ts"
import { socketInput } from "../inputs/socket-input.ts"
import { stdinInput } from "../inputs/stdin-input.ts"
import { kafka } from "../kafka/kafka-transport.ts"
import { fileOutput } from "../outputs/file-output.ts"
import { socketOutput } from "../outputs/socket-output.ts"
import { stdoutOutput } from "../outputs/stdout-output.ts"
import { clusterTransports } from "./cluster-transports.ts"
import type { Endpoint, Transport } from "./transport.ts"

/** Standard input and standard output. */
export const standardStreams: Endpoint = {
  name: "-",
  input: ({ choice, note }) => stdinInput({ ...choice, note }),
  output: () => stdoutOutput(),
}

const file: Transport = {
  name: "file",
  form: "a file",
  find(rest) {
    const path = filePath(rest)
    return {
      name: fileInputName(path),
      input: ({ choice, ...context }) => fileInput({ ...choice, ...context, path }),
      output: ({ force, onFull }) => fileOutput(path, { force, onFull }),
    }
  },
}

function socketAt(address: SocketAddress): Endpoint {
  return {
    name: describeAddress(address),
    input({ choice, warn, note }) {
      const onListening = (found: SocketAddress) => note(`listening on ${describeAddress(found)}`)
      return socketInput({ ...choice, address, onListening, warn })
    },
    output: ({ warn }) => socketOutput(address, { warn }),
  }
}

const tcp: Transport = {
  name: "tcp",
  form: "tcp://HOST:PORT",
  find: (rest, flag) => socketAt(parseHost(rest.replace(/^\/\//, ""), flag)),
}

const unix: Transport = {
  name: "unix",
  form: "unix:PATH",
  find: (rest) => socketAt({ kind: "unix", path: rest }),
}

/** The transports of the package. */
export const builtInTransports: readonly Transport[] = [file, tcp, unix, kafka, ...clusterTransports]
