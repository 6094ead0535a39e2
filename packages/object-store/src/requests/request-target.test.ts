import { describe, expect, test } from 'vitest'
import { parseRequestTarget } from './request-target.ts'

describe('parseTarget', () => {
  test.each([
    ['/', '', ''],
    ['/b', 'b', ''],
    ['/b/', 'b', ''],
    ['/b/k', 'b', 'k'],
    ['/b//k', 'b', '/k'],
    ['/b/a/../k', 'b', 'a/../k'],
    ['/b/.', 'b', '.'],
    ['/b/a%2Fb', 'b', 'a/b'],
    ['/b/100%25', 'b', '100%'],
    ['/b/a+b', 'b', 'a+b'],
    ['/b/%F0%9F%98%80', 'b', '😀'],
    ['http://host:9000/b/k', 'b', 'k'],
    ['http://HOST:9000', '', ''],
  ])('%s is bucket %j, key %j', (url, bucket, key) => {
    expect(parseRequestTarget(url, 'host:9000', [])).toMatchObject({ bucket, key })
  })

  test('what was sent stays as it was for the signature', () => {
    const target = parseRequestTarget('/b/%7ek?list-type=2&prefix=a%20b+c', 'host', [])
    expect([target.rawPath, target.rawQuery]).toEqual(['/b/%7ek', 'list-type=2&prefix=a%20b+c'])
    expect(target.query.get('prefix')).toBe('a b c')
  })

  test.each([
    ['pics.s3.test:9000', 'pics', 'a/b'],
    ['PICS.S3.TEST', 'pics', 'a/b'],
    ['my.pics.s3.test', 'my.pics', 'a/b'],
    ['s3.test', 'a', 'b'],
    ['other.test', 'a', 'b'],
    ['s3.test.evil', 'a', 'b'],
  ])('of the host %s the bucket is %s', (host, bucket, key) => {
    expect(parseRequestTarget('/a/b', host, ['s3.test'])).toMatchObject({ bucket, key })
  })

  test.each(['http://other/b/k', 'http://host:9000@other/b', 'http://other?list', 'http://'])(
    '%s names another host',
    (url) => expect(() => parseRequestTarget(url, 'host:9000', [])).toThrow('two hosts'),
  )

  test('a path that is no UTF-8 is refused', () => {
    expect(() => parseRequestTarget('/b/%ff', 'host', [])).toThrow('percent-encoded UTF-8')
    expect(() => parseRequestTarget('/b/%zz', 'host', [])).toThrow('percent-encoded UTF-8')
  })
})
