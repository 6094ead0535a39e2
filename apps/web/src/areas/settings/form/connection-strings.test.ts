import { describe, expect, test } from 'vitest'
import {
  fitsMysqlFields,
  fitsPostgresFields,
  mysqlFields,
  mysqlString,
  postgresFields,
  postgresString,
} from './connection-strings.ts'

const postgres = { host: 'h', port: '5432', dbname: 'events', user: 'u', password: 'p', sslmode: 'require' }
const mysql = { host: 'h', port: '3306', dbname: 'events', user: 'u', password: 'p' }

describe('a PostgreSQL connection string', () => {
  test('is built from the fields that are set, in the order of the original console [NTF-15]', () => {
    expect(postgresString(postgres)).toBe('host=h dbname=events user=u password=p port=5432 sslmode=require')
    expect(postgresString({ ...postgres, sslmode: '', port: '' })).toBe('host=h dbname=events user=u password=p')
  })

  test.each([{}, { password: "it's a \\ secret" }, { sslmode: '' }, { password: 'a=b' }])(
    'is parsed back unchanged: %j',
    (more) => {
      const fields = { ...postgres, ...more }
      expect(postgresFields(postgresString(fields))).toEqual(fields)
    },
  )

  test('with unknown keys is parsed without them', () => {
    expect(postgresFields('host = h connect_timeout=3 constructor=x password=')).toMatchObject({
      host: 'h',
      password: '',
    })
    expect(postgresFields('nonsense')).toEqual({ host: '', port: '', dbname: '', user: '', password: '', sslmode: '' })
  })
})

describe('a MySQL data source name', () => {
  test('is built from the fields [NTF-16]', () => {
    expect(mysqlString(mysql)).toBe('u:p@tcp(h:3306)/events')
    expect(mysqlString({ host: '', port: '', dbname: '', user: '', password: '' })).toBe('')
  })

  test.each([{}, { password: 'p@ss:w/rd@tcp(x)' }, { password: '' }])('is parsed back unchanged: %j', (more) => {
    const fields = { ...mysql, ...more }
    expect(mysqlFields(mysqlString(fields))).toEqual(fields)
  })

  test('is parsed without password or port, and with parameters', () => {
    expect(mysqlFields('u@tcp(h)/events?tls=true')).toEqual({ ...mysql, password: '', port: '' })
    expect(mysqlFields('nonsense').host).toBe('')
  })
})

test.each([
  ['', true],
  ['host=h dbname=events port=1', true],
  ['host=h connect_timeout=5', false],
  ['postgres://u@h/db', false],
])('whether the fields have all of the connection string %j: %s', (text, fits) => {
  expect(fitsPostgresFields(text)).toBe(fits)
})

test.each([
  ['', true],
  ['u:@tcp(h:3306)/db', true],
  ['u:p@tcp(h:3306)/db?timeout=5s', false],
  ['u:p@unix(/tmp/s)/db', false],
])('whether the fields have all of the data source name %j: %s', (text, fits) => {
  expect(fitsMysqlFields(text)).toBe(fits)
})
