import { parseQuantity, quantityValue } from '@stowage/kube/quantity'

/** The whole base units of a quantity, at most what a number of JSON holds exactly; 0 for none and for no quantity. */
export function amountOf(text: unknown): number {
  if (typeof text === 'number') return text
  if (typeof text !== 'string' || !parseQuantity(text)) return 0
  const value = quantityValue(text)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}

/** A sum that stays exact; from 2^53 - 1 on it stays there. */
export function sum(amounts: readonly number[]): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    amounts.reduce((total, amount) => total + amount, 0),
  )
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** A number of bytes or cores as API servers write it: `2Gi`, `1500`. */
export function quantityOf(amount: number): string {
  let value = BigInt(Math.round(amount))
  let unit = 0
  while (value !== 0n && value % 1024n === 0n && unit < BINARY.length - 1) {
    value /= 1024n
    unit++
  }
  return `${value}${BINARY[unit]}`
}
