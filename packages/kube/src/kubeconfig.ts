import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import type { ClusterOptions } from './connection.ts'

export interface KubeconfigContext {
  readonly cluster: Pick<ClusterOptions, 'server' | 'ca' | 'serverName' | 'cert' | 'key'>
  readonly token: string | undefined
  readonly namespace: string | undefined
}

interface Kubeconfig {
  'current-context'?: string
  contexts?: { name: string; context: { cluster: string; user: string; namespace?: string } }[]
  clusters?: { name: string; cluster: Record<string, string | boolean | undefined> }[]
  users?: { name: string; user: Record<string, unknown> }[]
}

/**
 * Reads the current context of a kubeconfig file: server, authorities, and a token or a client certificate.
 * @throws TypeError if the file has no current context, disables certificate checks, or runs a program for the token
 */
export async function readKubeconfig(path: string): Promise<KubeconfigContext> {
  const config = parse(await readFile(path, 'utf8')) as Kubeconfig
  const context = config.contexts?.find(({ name }) => name === config['current-context'])?.context
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster
  const user = config.users?.find(({ name }) => name === context?.user)?.user
  if (!context || !cluster || !user) throw new TypeError(`${path} has no current context with a cluster and a user`)
  if (cluster['insecure-skip-tls-verify'])
    throw new TypeError(`${path} disables certificate checks, which is not supported`)
  if (user.exec || user['auth-provider'])
    throw new TypeError(`${path} gets its token from a program, which is not supported; enter the token instead`)

  const pem = (from: Record<string, unknown>, name: string) => readPem(from, name, dirname(path))
  const token = text(user.token) ?? (await readRelativeFile(user.tokenFile, dirname(path)))?.trim()
  return {
    cluster: {
      server: text(cluster.server) ?? '',
      ca: await pem(cluster, 'certificate-authority'),
      serverName: text(cluster['tls-server-name']),
      cert: await pem(user, 'client-certificate'),
      key: await pem(user, 'client-key'),
    },
    token,
    namespace: context.namespace,
  }
}

/** Returns a PEM that is in the file as Base64, or in a separate file next to it. */
async function readPem(from: Record<string, unknown>, name: string, folder: string): Promise<string | undefined> {
  const data = text(from[`${name}-data`])
  return data === undefined ? await readRelativeFile(from[name], folder) : Buffer.from(data, 'base64').toString('utf8')
}

async function readRelativeFile(path: unknown, folder: string): Promise<string | undefined> {
  return typeof path === 'string' && path !== '' ? await readFile(resolve(folder, path), 'utf8') : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
