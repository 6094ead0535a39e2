import { type FaultProxy, startFaultProxy } from '../network/fault-proxy.ts'
import { startConsole, type TestConsole } from './start-console.ts'
import { startStore } from './start-store.ts'

/** A console that connects to its storage server through a proxy that injects faults. */
export interface ConsoleBehindFaults extends AsyncDisposable {
  c: TestConsole
  network: FaultProxy
}

/** @param server URL of the storage server; without it, one is started, and stopped with the console */
export async function startConsoleBehindFaults(server?: string): Promise<ConsoleBehindFaults> {
  const started: AsyncDisposable[] = []
  const end = async () => {
    for (const one of started.splice(0).reverse()) await one[Symbol.asyncDispose]()
  }
  const keep = <T extends AsyncDisposable>(one: T): T => {
    started.push(one)
    return one
  }
  try {
    const url = server ?? keep(await startStore()).url
    const network = keep(await startFaultProxy(url))
    const c = keep(await startConsole({ env: { STOWAGE_SERVER: network.url } }))
    return { c, network, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}
