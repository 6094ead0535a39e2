import { endpoints, type Input, type Operation } from '@stowage/contract'
import { fill } from './client.ts'

/** Returns the address of a call, relative to the base path, for links and forms. */
export function addressOf<O extends Operation>(operation: O, input: Omit<Input<O>, 'body'>): string {
  return fill(endpoints[operation], input as Parameters<typeof fill>[1])
}
