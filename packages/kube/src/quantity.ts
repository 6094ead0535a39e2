/** How a quantity is written: `1536Mi`, `1500M`, or `15e8`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent'

/** A quantity of Kubernetes, exact down to its smallest unit. */
export interface Quantity {
  /** In billionths: `1` is 1,000,000,000n. */
  readonly nanos: bigint
  readonly format: QuantityFormat
}

const NANO = 1_000_000_000n
/** Larger amounts are stored as this one, as the API server does. */
export const MAX_QUANTITY = 2n ** 63n - 1n

const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d{1,9})?$/
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
/** By power of ten, in steps of three, from 10^-9. */
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']

/** Said by API servers of a text that is no quantity. */
export const QUANTITY_PROBLEM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/**
 * Reads every form that Kubernetes writes: `10Gi`, `1.5Ti`, `500m`, `1e9`, `1073741824`.
 * Amounts below a billionth are rounded away from zero.
 * @returns undefined for a text that is no quantity
 * @see k8s.io/apimachinery pkg/api/resource ParseQuantity
 */
export function parseQuantity(text: string): Quantity | undefined {
  const [match, sign, whole = '', fraction = '', suffix = ''] = FORM.exec(text) ?? []
  if (match === undefined || whole + fraction === '') return undefined
  const digits = BigInt(whole + fraction)
  const scale = -fraction.length
  const binary = BINARY.indexOf(suffix)
  let nanos: bigint
  let format: QuantityFormat = 'DecimalSI'
  if (binary > 0) {
    format = 'BinarySI'
    nanos = scaled(digits * 1024n ** BigInt(binary), scale + 9)
  } else if (/^[eE]./.test(suffix)) {
    format = 'DecimalExponent'
    nanos = scaled(digits, scale + 9 + Number(suffix.slice(1)))
  } else {
    nanos = scaled(digits, scale + 3 * DECIMAL.indexOf(suffix))
  }
  if (nanos > MAX_QUANTITY * NANO) nanos = MAX_QUANTITY * NANO
  return { nanos: sign === '-' ? -nanos : nanos, format }
}

/** digits × 10^power, rounded up. A power that leaves nothing below the cap, or nothing above zero, is not computed. */
function scaled(digits: bigint, power: number): bigint {
  if (digits === 0n) return 0n
  if (power > 40) return MAX_QUANTITY * NANO
  if (power >= 0) return digits * 10n ** BigInt(power)
  if (-power > digits.toString().length) return 1n
  return ceilDiv(digits, 10n ** BigInt(-power))
}

function ceilDiv(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/**
 * The whole number of base units (bytes, cores) of a quantity, rounded away from zero.
 * @throws TypeError when the text is no quantity
 */
export function quantityValue(text: string): bigint {
  const quantity = parseQuantity(text)
  if (!quantity) throw new TypeError(`${JSON.stringify(text)} is not a quantity: ${QUANTITY_PROBLEM}`)
  return wholeUnits(quantity.nanos)
}

function wholeUnits(nanos: bigint): bigint {
  return nanos < 0n ? -ceilDiv(-nanos, NANO) : ceilDiv(nanos, NANO)
}

/** Writes a quantity the way API servers do: the largest unit that leaves no fraction. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0'
  const small = nanos > -1024n * NANO && nanos < 1024n * NANO
  if (format === 'BinarySI' && !small) {
    const [number, power] = withoutFactor(wholeUnits(nanos), 1024n, BINARY.length - 1)
    return `${number}${BINARY[power]}`
  }
  const [number, steps] = withoutFactor(nanos, 1000n, format === 'DecimalExponent' ? 9 : DECIMAL.length - 1)
  if (format !== 'DecimalExponent') return `${number}${DECIMAL[steps]}`
  return steps === 3 ? `${number}` : `${number}e${3 * (steps - 3)}`
}

/** Takes a factor out of a number as often as it goes without a rest, at most so many times. */
function withoutFactor(number: bigint, factor: bigint, most: number): [bigint, number] {
  let times = 0
  while (times < most && number % factor === 0n) {
    number /= factor
    times++
  }
  return [number, times]
}
