import { type Connection, createConnection } from 'mysql2/promise'
import { readMysqlSource } from './data-sources.ts'
import { keepConnection } from './kept-connection.ts'
import type { OpenTarget } from './open-target.ts'
import { type SqlStatements, sqlTarget } from './sql-target.ts'

/** MariaDB does not support a generated column as primary key, nor one that is NOT NULL. */
const COLUMNS = {
  namespace:
    'key_name VARCHAR(3072) NOT NULL, ' +
    'key_hash CHAR(64) GENERATED ALWAYS AS (SHA2(key_name, 256)) STORED, value JSON, UNIQUE KEY (key_hash)',
  access: 'event_time DATETIME NOT NULL, event_data JSON',
}

/** Errors that the same row will always cause: too long, not JSON, a violated constraint. */
const REFUSED = new Set(['ER_DATA_TOO_LONG', 'ER_INVALID_JSON_TEXT', 'ER_CONSTRAINT_FAILED', 'ER_DUP_ENTRY'])

/**
 * Writes a row for each object (namespace) or for each event (access). It counts as accepted when the statement is committed.
 */
export const openMysql: OpenTarget = ({ arn, values, egress }) => {
  const { dsn_string: text = '', table = '', format } = values
  const isAccess = format === 'access'

  const connection = keepConnection<Connection>({
    async open({ onLost, onFailure }) {
      const { host, port, user, password, database, parameters } = readMysqlSource(text)
      const ssl = mysqlTlsOptions(parameters.tls)
      const stream = await egress.connect({ host, port })
      onFailure(() => stream.destroy())
      const client = await createConnection({
        stream,
        host,
        user,
        password,
        database,
        connectTimeout: 8000,
        ...(ssl && { ssl }),
      })
      client.on('error', onLost)
      client.on('end', onLost)
      const columns = isAccess ? COLUMNS.access : COLUMNS.namespace
      const options = isAccess ? '' : 'CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin ROW_FORMAT = Dynamic'
      await client.query(`CREATE TABLE IF NOT EXISTS ${table} (${columns}) ${options}`)
      return client
    },
    close: (client) => client.destroy(),
  })
  const statements: SqlStatements = {
    append: `INSERT INTO ${table} (event_time, event_data) VALUES (?, ?)`,
    put: `INSERT INTO ${table} (key_name, value) VALUES (?, ?) ON DUPLICATE KEY UPDATE value = VALUES(value)`,
    remove: `DELETE FROM ${table} WHERE key_hash = SHA2(?, 256)`,
    formatTime: ({ time }) => time.slice(0, 19).replace('T', ' '),
  }
  const run = (client: Connection, statement: string, given: string[]) => client.execute(statement, given)
  return sqlTarget({ arn, isAccess }, connection, statements, run, (code) => REFUSED.has(code))
}

function mysqlTlsOptions(mode = 'false'): object | undefined {
  switch (mode) {
    case 'false':
      return undefined
    case 'true':
      return { rejectUnauthorized: true, verifyIdentity: true }
    case 'skip-verify':
      return { rejectUnauthorized: false }
    default:
      throw new Error('tls must be true, false or skip-verify')
  }
}
