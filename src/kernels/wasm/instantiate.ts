import { QueryveilError } from "../error.ts"

/** The part of the global `WebAssembly` that is used here. The types of Node do not have it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: Record<string, unknown> }
}

/** A module's functions by name, and its memory. */
export interface WasmInstance {
  memory: ArrayBuffer
  call(name: string): (...args: number[]) => number
}

export function instantiate(bytes: Uint8Array): WasmInstance {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes))
  const { memory } = exports as { memory: { buffer: ArrayBuffer } }
  return {
    memory: memory.buffer,
    call: (name) => {
      const found = exports[name]
      if (typeof found !== "function") throw new QueryveilError("internal", `There is no function ${name}.`)
      return found as (...args: number[]) => number
    },
  }
}
