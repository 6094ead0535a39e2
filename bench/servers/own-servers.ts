import { startProduct } from '../lib/start-product.ts'
import type { BenchOptions } from './options.ts'

/** Starts our own console and store, and returns the options to measure them. */
export async function startOwnServers(
  options: BenchOptions,
): Promise<{ options: BenchOptions; stop: () => Promise<void> }> {
  const console = await startProduct()
  const { url, serverUrl, rootUser, rootPassword, pid } = console
  return {
    options: {
      ...options,
      consoles: [{ name: 'Stowage', value: url }],
      stores: [{ name: 'Stowage', value: serverUrl }],
      server: serverUrl,
      pids: new Map([['Stowage', pid]]),
      user: rootUser,
      password: rootPassword,
    },
    stop: async () => await console[Symbol.asyncDispose](),
  }
}
