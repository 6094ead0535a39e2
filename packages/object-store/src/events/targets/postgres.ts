import type { ConnectionOptions } from 'node:tls'
import { Client } from 'pg'
import { type CertificateFiles, tlsOptions } from './certificates.ts'
import { readPostgresSource } from './data-sources.ts'
import { keepConnection } from './kept-connection.ts'
import type { OpenTarget } from './open-target.ts'
import { type SqlStatements, sqlTarget } from './sql-target.ts'

/** A connection runs one statement at a time. */
interface PostgresConnection {
  readonly client: Client
  /** Resolves when the last statement has ended. */
  last: Promise<unknown>
}

/**
 * Writes a row for each object (namespace) or for each event (access). It counts as accepted when the statement is committed.
 */
export const openPostgres: OpenTarget = ({ arn, values, egress, certificates }) => {
  const { connection_string: text = '', table = '', format } = values
  const isAccess = format === 'access'

  const connection = keepConnection<PostgresConnection>({
    async open({ onLost, onFailure }) {
      const { parameters, ...source } = readPostgresSource(text)
      const client = new Client({
        ...source,
        ssl: await postgresTlsOptions(parameters, certificates),
        stream: () => egress.socket(),
        connectionTimeoutMillis: 8000,
        application_name: 'stowage',
      })
      onFailure(() => client.end())
      client.on('error', onLost)
      client.on('end', onLost)
      await client.connect()
      const columns = isAccess
        ? 'event_time TIMESTAMP WITH TIME ZONE NOT NULL, event_data JSONB'
        : 'key VARCHAR PRIMARY KEY, value JSONB'
      await client.query(`CREATE TABLE IF NOT EXISTS ${table} (${columns})`)
      return { client, last: Promise.resolve() }
    },
    close: ({ client }) => client.end(),
  })
  const statements: SqlStatements = {
    append: `INSERT INTO ${table} (event_time, event_data) VALUES ($1, $2)`,
    put: `INSERT INTO ${table} (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
    remove: `DELETE FROM ${table} WHERE key = $1`,
    formatTime: ({ time }) => time,
  }
  const run = (connected: PostgresConnection, statement: string, given: string[]) => {
    const result = connected.last.then(() => connected.client.query(statement, given))
    connected.last = result.catch(() => undefined)
    return result
  }
  // Data exceptions and violated constraints.
  return sqlTarget({ arn, isAccess }, connection, statements, run, (code) => /^2[23]/.test(code))
}

/** Returns TLS options like Go's driver: TLS unless it is disabled, verified only if the mode requires it. */
async function postgresTlsOptions(
  { sslmode = 'require', sslrootcert = '', sslcert = '', sslkey = '' }: Readonly<Record<string, string>>,
  certificates: CertificateFiles,
): Promise<false | ConnectionOptions> {
  if (sslmode === 'disable') return false
  const files = { ca: sslrootcert, cert: sslcert, key: sslkey }
  switch (sslmode) {
    case 'require':
      return await tlsOptions(certificates, { skipVerify: true, ...files })
    case 'verify-ca':
      return {
        ...(await tlsOptions(certificates, { skipVerify: false, ...files })),
        checkServerIdentity: () => undefined,
      }
    case 'verify-full':
      return await tlsOptions(certificates, { skipVerify: false, ...files })
    default:
      throw new Error('sslmode must be disable, require, verify-ca or verify-full')
  }
}
