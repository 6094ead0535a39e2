const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** Returns the bytes of a Kubernetes quantity: `10Gi`, `1e9`, `1073741824`; 0 if it is invalid. */
export function quantityBytes(quantity: string): number {
  const [, number, exponent, unit = ''] = /^(\d+(?:\.\d*)?)(?:[eE](\d+)|([kMGTPE]i?|Ki)?)$/.exec(quantity) ?? []
  if (number === undefined) return 0
  return Math.round(Number(number) * (exponent === undefined ? (UNITS[unit] ?? 0) : 10 ** Number(exponent)))
}
