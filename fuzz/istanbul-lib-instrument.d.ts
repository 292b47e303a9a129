declare module "istanbul-lib-instrument" {
  /** What of it is used here. */
  export function createInstrumenter(options: {
    esModules: boolean
    compact: boolean
    coverageVariable: string
    produceSourceMap: boolean
  }): { instrumentSync(code: string, name: string): string }
}
