/** Location of a database, parsed from a connection string. */
export interface DatabaseSource {
  host: string
  port: number
  user: string
  password: string
  database: string
  /** All other parameters of the string, by name. */
  parameters: Readonly<Record<string, string>>
}

/**
 * Parses `host=db port=5432 dbname='my events'`, or `postgresql://user:password@db:5432/events?sslmode=require`.
 * @throws Error without any content of the string
 */
export function readPostgresSource(text: string): DatabaseSource {
  const given = /^postgres(ql)?:\/\//.test(text) ? parseConnectionUrl(text) : parseKeywords(text)
  const { host = 'localhost', port = '5432', user = '', password = '', dbname = user, ...parameters } = given
  if (host.startsWith('/')) throw new Error('a local socket cannot be used as host')
  return { host, port: parsePort(port), user, password, database: dbname, parameters }
}

function parseConnectionUrl(text: string): Record<string, string> {
  if (!URL.canParse(text)) throw new Error('the connection string is not an address')
  const { hostname, port, username, password, pathname, searchParams } = new URL(text)
  const parts = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    dbname: decodeURIComponent(pathname.slice(1)),
  }
  return {
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')),
    ...Object.fromEntries(searchParams),
  }
}

/** Parses like libpq: values in single quotes may contain spaces; a backslash escapes a quote or a backslash. */
function parseKeywords(text: string): Record<string, string> {
  const pair = /\s*([a-z_]+)\s*=\s*(?:'((?:\\.|[^'\\])*)'|((?:\\.|[^\s'\\])*))(?=\s|$)/gy
  const found: [string, string][] = []
  while (pair.lastIndex < text.trimEnd().length) {
    const [, name, quoted, bare = ''] = pair.exec(text) ?? []
    if (name === undefined) throw new Error('the connection string is not made of key=value')
    found.push([name, (quoted ?? bare).replace(/\\(.)/gs, '$1')])
  }
  return Object.fromEntries(found)
}

/**
 * Parses the data source name of Go's MySQL driver: `user:password@tcp(db:3306)/events?tls=true`.
 * @throws Error without any content of the string
 */
export function readMysqlSource(text: string): DatabaseSource {
  const slash = text.lastIndexOf('/')
  if (slash < 0) throw new Error('the data source name has no "/" before the database')
  const [database = '', query = ''] = text.slice(slash + 1).split('?', 2)
  const before = text.slice(0, slash)
  const at = before.lastIndexOf('@')
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(at < 0 ? '' : before.slice(0, at)) ?? []
  const [, network = '', address = ''] = /^([a-z0-9]*)(?:\(([^)]*)\))?$/.exec(before.slice(at + 1)) ?? []
  if (network !== 'tcp' && before.slice(at + 1) !== '') throw new Error('only tcp(host:port) can be connected to')
  const [, host = '127.0.0.1', port = '3306'] = /^(?:\[?([^\]]+?)\]?)(?::(\d+))?$/.exec(address) ?? []
  const parameters = Object.fromEntries(new URLSearchParams(query))
  return { host, port: parsePort(port), user, password, database: decodeURIComponent(database), parameters }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new Error('the port must be 1 to 65535')
  return port
}
