import { asBytes, counted } from "../../shared/format.ts"

/** `12 bytes`, `4.2 kB`, `12.3 MB` */
export const fileSize = (bytes: number) => (bytes < 1000 ? counted(bytes, "byte") : asBytes(bytes))
