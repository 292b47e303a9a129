/** Makes these recordings anew, in a folder that is empty before. Returns them by name. */
export declare function record(folder: string, names?: readonly string[]): Promise<Record<string, unknown>>
