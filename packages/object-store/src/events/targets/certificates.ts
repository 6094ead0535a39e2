import { readFile } from 'node:fs/promises'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { permittedPath } from './permitted-path.ts'

/** Reads certificates and keys by their paths in the configuration. */
export interface CertificateFiles {
  /** @throws Error without any content of the file */
  read(path: string): Promise<Buffer>
}

/** Allows only files below these folders. */
export function openCertificateFiles(folders: readonly string[]): CertificateFiles {
  return {
    async read(path) {
      const permitted = permittedPath(path, folders)
      if (permitted === undefined) throw new Error(`${path} is not in a folder for certificates`)
      try {
        return await readFile(permitted)
      } catch (error) {
        throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'failed'})`)
      }
    },
  }
}

/** Returns TLS options of a connection with certificates from files; empty paths are ignored. */
export async function tlsOptions(
  certificates: CertificateFiles,
  { skipVerify, ca = '', cert = '', key = '' }: { skipVerify: boolean; ca?: string; cert?: string; key?: string },
): Promise<ConnectionOptions> {
  const read = async (path: string) => (path === '' ? undefined : await certificates.read(path))
  const [authority, certificate, privateKey] = await Promise.all([read(ca), read(cert), read(key)])
  return {
    rejectUnauthorized: !skipVerify,
    ...(authority && { ca: authority }),
    ...(certificate && { cert: certificate }),
    ...(privateKey && { key: privateKey }),
  }
}

/** Starts TLS on a connection to this host. The certificate must contain its name or address. */
export function connectTls(socket: Socket, host: string, options: ConnectionOptions): TLSSocket {
  // Servers with several certificates choose by the name; an address cannot be used.
  const servername = isIP(host) === 0 ? { servername: host } : {}
  return connect({ ...options, socket, host, ...servername })
}
