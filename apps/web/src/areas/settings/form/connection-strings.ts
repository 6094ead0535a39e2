/** The fields of a PostgreSQL connection string. */
export interface PostgresFields {
  host: string
  port: string
  dbname: string
  user: string
  password: string
  /** Empty if not set. */
  sslmode: string
}

const POSTGRES_ORDER = ['host', 'dbname', 'user', 'password', 'port', 'sslmode'] as const

export const SSL_MODES = ['require', 'disable', 'verify-ca', 'verify-full'] as const

export function postgresString(fields: PostgresFields): string {
  return POSTGRES_ORDER.filter((key) => fields[key] !== '')
    .map((key) => `${key}=${quoteLibpqValue(fields[key])}`)
    .join(' ')
}

/** Quotes a value for libpq: values with white space or quotes are in single quotes, with backslash escapes. */
function quoteLibpqValue(value: string): string {
  return /[\s'\\]/.test(value) ? `'${value.replace(/['\\]/g, '\\$&')}'` : value
}

/** Parses `key=value` pairs. Unknown keys are ignored. */
export function postgresFields(text: string): PostgresFields {
  const fields = { host: '', port: '', dbname: '', user: '', password: '', sslmode: '' }
  for (const [, key = '', quotedValue, bare = ''] of text.matchAll(/(\w+)\s*=\s*(?:'((?:\\.|[^'\\])*)'|([^\s']*))/g)) {
    if (!isField(key, fields)) continue
    fields[key] = quotedValue === undefined ? bare : quotedValue.replace(/\\(.)/g, '$1')
  }
  return fields
}

/** Whether the fields have everything that is in the string, so that it can be written again from them. */
export function fitsPostgresFields(text: string): boolean {
  const fields = postgresFields(text)
  return !text.includes('://') && [...text.matchAll(/(\w+)\s*=/g)].every(([, key = '']) => isField(key, fields))
}

const isField = <T extends object>(key: string, fields: T): key is string & keyof T => Object.hasOwn(fields, key)

/** The fields of a MySQL data source name. */
export interface MysqlFields {
  host: string
  port: string
  dbname: string
  user: string
  password: string
}

/** Returns `user:password@tcp(host:port)/dbname`. */
export function mysqlString({ user, password, host, port, dbname }: MysqlFields): string {
  if ([user, password, host, port, dbname].every((value) => value === '')) return ''
  return `${user}:${password}@tcp(${host}:${port})/${dbname}`
}

/** The password may contain any character; the last `@tcp(` ends it. */
export function mysqlFields(text: string): MysqlFields {
  const [, user = '', password = '', host = '', port = '', dbname = ''] =
    /^([^:@]*)(?::(.*))?@tcp\(([^)]*?)(?::(\d*))?\)\/([^?]*)/s.exec(text) ?? []
  return { user, password, host, port, dbname }
}

/** Whether the fields have everything that is in the name, so that it can be written again from them. */
export const fitsMysqlFields = (text: string): boolean => mysqlString(mysqlFields(text)) === text
