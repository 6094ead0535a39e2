/** Format of a quantity: `1536Mi`, `1500M`, or `15e8`. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent'

/** A Kubernetes quantity: digits × 10^scale, always exact. */
export interface Quantity {
  readonly digits: bigint
  readonly scale: number
  readonly format: QuantityFormat
  /** The original text, if API servers keep it unchanged. */
  readonly text?: string
}

/** Limit of quantities in binary units; larger ones are stored as this value. */
export const MAX_QUANTITY = 2n ** 63n - 1n

/** Sign, digits, fraction, unit or exponent. The parts do not overlap, so that long texts are matched in linear time. */
const FORM = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]+[+-]?\d*|[+-]\d*|)$/
/** Maximum length of a text; longer numbers are not useful quantities. */
const MAX_LENGTH = 1000
const EXPONENT = /^[eE][+-]?\d{1,18}$/
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const DECIMAL_BY_POWER = new Map(Object.entries(DECIMAL).map(([unit, power]) => [power, unit]))
const NANO = -9
/** At this power of ten any quantity exceeds the limit, whatever its digits. */
const LARGEST_POWER = 40

/** The API server's message for a text that is not a quantity. */
export const QUANTITY_PROBLEM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/**
 * Parses every form that Kubernetes accepts: `10Gi`, `1.5Ti`, `500m`, `1e9`, `1073741824`. Amounts below a billionth are
 * rounded away from zero.
 * @returns undefined if the text is not a quantity
 * @see k8s.io/apimachinery@v0.33.13 pkg/api/resource ParseQuantity
 */
export function parseQuantity(text: string): Quantity | undefined {
  if (text === '' || text.length > MAX_LENGTH) return undefined
  const [match, sign, written = '', fraction = '', unit = ''] = FORM.exec(text) ?? []
  if (match === undefined) return undefined
  const whole = written.replace(/^0+/, '')
  const magnitude = BigInt(whole + fraction || '0')
  const digits = sign === '-' ? -magnitude : magnitude
  const length = Math.max(1, whole.length) + fraction.length
  const binary = BINARY.indexOf(unit)
  if (binary > 0) {
    const factor = 1024n ** BigInt(binary)
    if (fraction === '' && length + Math.trunc(binary * 3) + 1 <= 15) {
      const kept = (magnitude & 7n) !== 0n
      return { digits: digits * factor, scale: 0, format: 'BinarySI', ...(kept ? { text } : {}) }
    }
    return rounded({ digits: digits * factor, scale: -fraction.length, format: 'BinarySI' })
  }
  const power = EXPONENT.test(unit) ? Number(unit.slice(1)) : DECIMAL[unit]
  if (power === undefined) return undefined
  const format = EXPONENT.test(unit) ? 'DecimalExponent' : 'DecimalSI'
  const scale = power - fraction.length
  if (length > 18 || scale < NANO) return rounded({ digits, scale, format })
  const shown = (whole || '0') + fraction
  const kept = text === '0' || (scale % 3 === 0 && !shown.endsWith('000') && !shown.startsWith('0'))
  return { digits, scale, format, ...(kept ? { text } : {}) }
}

/** Rounds to billionths, away from zero, and limits quantities in binary units. */
function rounded(exact: Quantity): Quantity {
  const { digits, scale, format } = roundUp(exact, NANO)
  if (format !== 'BinarySI') return { digits, scale, format }
  const whole = wholeUnits({ digits, scale, format })
  if (whole > MAX_QUANTITY) return { digits: MAX_QUANTITY, scale: 0, format }
  return { digits, scale, format }
}

/** Rounds away from zero to a power of ten, as API servers round resources to thousandths. */
export function roundUp(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity
  const { digits, format } = quantity
  return { digits: ceilDiv(digits, scale - quantity.scale), scale, format }
}

/** Returns digits ÷ 10^power, rounded away from zero. If the result is zero or one digit, the power is not computed. */
function ceilDiv(digits: bigint, power: number): bigint {
  if (digits < 0n) return -ceilDiv(-digits, power)
  if (digits === 0n) return 0n
  if (power > digits.toString().length) return 1n
  const by = 10n ** BigInt(power)
  return (digits + by - 1n) / by
}

/**
 * Returns a quantity in whole base units (bytes, cores), rounded away from zero; at most 2^63 - 1.
 * @throws TypeError if the text is not a quantity
 */
export function quantityValue(text: string): bigint {
  const quantity = parseQuantity(text)
  if (!quantity) throw new TypeError(`${JSON.stringify(text)} is not a quantity: ${QUANTITY_PROBLEM}`)
  const value = wholeUnits(quantity)
  return value > MAX_QUANTITY ? MAX_QUANTITY : value < -MAX_QUANTITY ? -MAX_QUANTITY : value
}

/** Returns a quantity in whole base units, limited to the largest exact JSON number; 0 if it is missing or invalid. */
export function quantityAmount(text: unknown): number {
  if (typeof text === 'number') return text
  if (typeof text !== 'string' || !parseQuantity(text)) return 0
  const value = quantityValue(text)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}

/** Formats a number of bytes or cores like an API server: `2Gi`, `1500`, and parts of a core `500m`. */
export function formatAmount(amount: number): string {
  if (Number.isInteger(amount)) return formatQuantity({ digits: BigInt(amount), scale: 0, format: 'BinarySI' })
  return formatQuantity({ digits: BigInt(Math.ceil(amount * 1000)), scale: -3, format: 'DecimalSI' })
}

function wholeUnits({ digits, scale }: Quantity): bigint {
  if (digits === 0n) return 0n
  if (scale > LARGEST_POWER) return digits < 0n ? -MAX_QUANTITY : MAX_QUANTITY
  return scale >= 0 ? digits * 10n ** BigInt(scale) : ceilDiv(digits, -scale)
}

/** Returns a negative number, zero or a positive one, if a is less than, equal to or greater than b. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const { digits } = addQuantities(a, { ...b, digits: -b.digits })
  return digits < 0n ? -1 : digits > 0n ? 1 : 0
}

/** Returns the sum, in the format of the first quantity, unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const scale = Math.min(a.scale, b.scale)
  const format = a.digits === 0n ? b.format : a.format
  const at = ({ digits, scale: own }: Quantity) => digits * 10n ** BigInt(Math.min(own - scale, 400))
  return { digits: at(a) + at(b), scale, format }
}

/** Formats a quantity like API servers: with the largest unit that needs no fraction. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text
  const { digits, scale, format } = quantity
  if (digits === 0n) return '0'
  if (format === 'BinarySI') {
    const whole = wholeUnits(quantity)
    const isWhole = scale >= 0 || whole * 10n ** BigInt(-scale) === digits
    if (isWhole && (whole >= 1024n || whole <= -1024n)) {
      const [number, times] = withoutFactor(whole, 1024n, BINARY.length - 1)
      return `${number}${BINARY[times]}`
    }
  }
  const [number, times] = withoutFactor(digits, 10n, Number.POSITIVE_INFINITY)
  const power = scale + times
  // Units differ by three powers of ten.
  const rest = ((power % 3) + 3) % 3
  const shown = `${number * 10n ** BigInt(rest)}`
  const unit = power - rest
  if (format === 'DecimalExponent') return unit === 0 ? shown : `${shown}e${unit}`
  return shown + (DECIMAL_BY_POWER.get(unit) ?? '')
}

/** Divides a number by a factor while there is no remainder, at most the given number of times. */
function withoutFactor(number: bigint, factor: bigint, most: number): [bigint, number] {
  let times = 0
  while (times < most && number % factor === 0n) {
    number /= factor
    times++
  }
  return [number, times]
}
