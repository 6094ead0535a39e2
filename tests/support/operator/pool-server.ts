import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A storage server with two pools that can be drained, as a test wants it. It answers as MinIO does, to any signature. */
export interface PoolServer extends AsyncDisposable {
  url: string
  /** The requests that changed something: `decommission <cmdline>`, `cancel <cmdline>`. */
  readonly requests: string[]
  /** Sets the progress of the pool that is being drained. @param share of its objects that have been moved */
  move(share: number, state?: 'complete' | 'failed'): void
}

const TiB = 2 ** 40
const NEVER = '0001-01-01T00:00:00Z'

/** @param tenant name of the tenant whose pools `pool-0` and `pool-1` it has */
export async function startPoolServer(tenant: string): Promise<PoolServer> {
  const cmdlines = [0, 1].map(
    (n) => `http://${tenant}-pool-${n}-{0...3}.${tenant}-hl.ns.svc.cluster.local/export{0...1}`,
  )
  const info = cmdlines.map(() => ({
    startTime: NEVER,
    startSize: TiB,
    totalSize: 2 * TiB,
    currentSize: TiB,
    complete: false,
    failed: false,
    canceled: false,
    objectsDecommissioned: 0,
    objectsDecommissionedFailed: 0,
    bytesDecommissioned: 0,
    bytesDecommissionedFailed: 0,
  }))
  const requests: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://pool-server')
    const call = url.pathname.replace(/^\/minio\/admin\/v3\/pools\//, '')
    const cmdline = url.searchParams.get('pool') ?? ''
    const pool = info[cmdlines.indexOf(cmdline)]
    if (call === 'list') {
      const pools = cmdlines.map((each, id) => ({ id, cmdline: each, lastUpdate: NEVER, decommissionInfo: info[id] }))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pools))
    } else if (pool && (call === 'decommission' || call === 'cancel')) {
      requests.push(`${call} ${cmdline}`)
      Object.assign(
        pool,
        call === 'cancel' ? { canceled: true } : { startTime: '2026-01-01T00:00:00Z', canceled: false },
      )
      response.writeHead(200).end()
    } else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    move(share, state) {
      const pool = info.find((each) => each.startTime !== NEVER)
      if (!pool) throw new Error('no pool is being drained')
      const moved = Math.round(share * TiB)
      Object.assign(pool, {
        currentSize: TiB + moved,
        bytesDecommissioned: moved,
        objectsDecommissioned: Math.round(share * 1000),
        ...(state ? { [state]: true } : {}),
      })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
