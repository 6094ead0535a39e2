import { parseQuantity, quantityValue } from '@stowage/kube/quantity'

/** Returns a quantity in whole base units, limited to the largest exact JSON number; 0 if it is missing or invalid. */
export function parseAmount(text: unknown): number {
  if (typeof text === 'number') return text
  if (typeof text !== 'string' || !parseQuantity(text)) return 0
  const value = quantityValue(text)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}

/** Returns a sum, limited to the largest exact number (2^53 - 1). */
export function safeSum(amounts: readonly number[]): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    amounts.reduce((total, amount) => total + amount, 0),
  )
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Formats a number of bytes or cores like an API server: `2Gi`, `1500`, and parts of a core `500m`. */
export function formatAmount(amount: number): string {
  if (!Number.isInteger(amount)) return `${Math.ceil(amount * 1000)}m`
  let value = BigInt(amount)
  let unit = 0
  while (value !== 0n && value % 1024n === 0n && unit < BINARY.length - 1) {
    value /= 1024n
    unit++
  }
  return `${value}${BINARY[unit]}`
}
