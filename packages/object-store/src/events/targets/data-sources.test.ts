import { expect, test } from 'vitest'
import { readMysqlSource, readPostgresSource } from './data-sources.ts'

const db = { host: 'db', port: 5432, user: 'u', password: 'p', database: 'events', parameters: {} }

test.each([
  ['host=db port=5432 user=u password=p dbname=events', db],
  [
    "  host = db user='u' password='it\\'s \\\\ =x' dbname='my events' ",
    { ...db, password: "it's \\ =x", database: 'my events' },
  ],
  ['postgres://u:p@db/events?sslmode=verify-ca', { ...db, parameters: { sslmode: 'verify-ca' } }],
  ['postgresql://u:p%40%2F@[::1]:7/e%20f', { ...db, host: '::1', port: 7, password: 'p@/', database: 'e f' }],
  ['user=u', { ...db, host: 'localhost', password: '', database: 'u' }],
])('PostgreSQL: %s', (text, expected) => {
  expect(readPostgresSource(text)).toEqual(expected)
})

test.each([
  ['u:p@tcp(db:3306)/events', { ...db, port: 3306 }],
  ['u:p@:)/(@w@tcp(db:3306)/events', { ...db, port: 3306, password: 'p@:)/(@w' }],
  ['u@tcp(db)/events?tls=skip-verify', { ...db, port: 3306, password: '', parameters: { tls: 'skip-verify' } }],
  ['u:p@tcp([::1]:7)/', { ...db, host: '::1', port: 7, database: '' }],
])('MySQL: %s', (text, expected) => {
  expect(readMysqlSource(text)).toEqual(expected)
})

test.each([
  ['host=/var/run/postgresql user=u', readPostgresSource],
  ['host=db secret', readPostgresSource],
  ["host=db password='secret", readPostgresSource],
  ['host=db port=99999 password=secret', readPostgresSource],
  ['postgres://u:secret@[x/', readPostgresSource],
  ['u:secret@unix(/tmp/mysql.sock)/events', readMysqlSource],
  ['u:secret@tcp(db:0)/events', readMysqlSource],
  ['secret', readMysqlSource],
])('%s is refused without a word of it', (text, read) => {
  expect(() => read(text)).toThrow(/^(?!.*secret)/)
})
