import { endpoints, type Input, type Operation } from '@stowage/contract'
import { endpointAddress } from './client.ts'

/** Returns the address of a call, relative to the base path, for links and forms. */
export function callAddress<O extends Operation>(operation: O, input: Omit<Input<O>, 'body'>): string {
  return endpointAddress(endpoints[operation], input as Parameters<typeof endpointAddress>[1])
}
