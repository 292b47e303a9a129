const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 })

/** `1,204` */
export const asCount = (value: number) => whole.format(value)

/** `1 user`, `12 users` */
export const counted = (value: number, one: string, many = `${one}s`) => `${asCount(value)} ${value === 1 ? one : many}`
