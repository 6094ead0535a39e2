import { expect, test } from 'vitest'
import { formatCursor, parseCursor, readAuditPage } from '../search/audit-page.ts'
import type { AuditKeeper, AuditPosition } from '../search/audit-source.ts'
import { findRequestIds, SAMPLE_NOW, sampleQuery, sampleRecord } from './sample-records.ts'

/** What every place that keeps audit records does alike. @param open opens an empty one */
export function testAuditKeeper(open: () => Promise<AuditKeeper>): void {
  test('records are returned newest or oldest first by their own time, in whatever order they were posted', async () => {
    const keeper = await open()
    expect(await keeper.hasRecords()).toBe(false)
    await keeper.append([sampleRecord(2), sampleRecord(5)])
    await keeper.append([sampleRecord(1), sampleRecord(4), sampleRecord(3)])
    expect(await keeper.hasRecords()).toBe(true)
    expect(await findRequestIds(keeper)).toEqual(['R5', 'R4', 'R3', 'R2', 'R1'])
    expect(await findRequestIds(keeper, { newestFirst: false, limit: 2 })).toEqual(['R1', 'R2'])
    expect(await findRequestIds(keeper, { skip: 2, limit: 2 })).toEqual(['R3', 'R2'])
    expect(await findRequestIds(keeper, { from: sampleRecord(2).at, to: sampleRecord(4).at })).toEqual(['R3', 'R2'])
    await keeper.close()
  })

  test.each([true, false])(
    'pages by cursor repeat and skip nothing while records come (newest first: %s)',
    async (newestFirst) => {
      const keeper = await open()
      // Five times, each of three records.
      await keeper.append(Array.from({ length: 15 }, (_, n) => sampleRecord(Math.floor(n / 3), { requestID: `R${n}` })))
      const all = await findRequestIds(keeper, { newestFirst })
      const found: string[] = []
      for (let after: AuditPosition | undefined; ; ) {
        const { records } = await readAuditPage(keeper, sampleQuery({ newestFirst, limit: 4, after }))
        found.push(...records.map(({ requestId }) => requestId))
        const last = records.at(-1)
        if (!last) break
        after = parseCursor(formatCursor(last))
        // In front of what was shown.
        await keeper.append([sampleRecord(newestFirst ? 100 + found.length : -100 - found.length)])
      }
      expect(found).toEqual(all)
      await keeper.close()
    },
  )

  test.each([true, false])(
    'a search that took too long goes on where it stopped (newest first: %s)',
    async (newestFirst) => {
      const keeper = await open()
      const tags = { text: '.'.repeat(4000) }
      await keeper.append(Array.from({ length: 60 }, (_, n) => sampleRecord(n, { tags })))
      const all = await findRequestIds(keeper, { newestFirst })
      const found: string[] = []
      for (let after: AuditPosition | undefined; ; ) {
        let stopped: AuditPosition | undefined
        for await (const batch of keeper.batches(sampleQuery({ newestFirst, after }), 0)) {
          found.push(...batch.map(({ requestId }) => requestId))
          stopped = batch.searchedTo
        }
        if (!stopped) break
        after = parseCursor(formatCursor(stopped))
      }
      expect(found).toEqual(all)
      expect(found).toHaveLength(60)
      await keeper.close()
    },
  )

  test('a record that is posted twice is stored once', async () => {
    const keeper = await open()
    expect(await keeper.append([sampleRecord(1), sampleRecord(1)])).toBe(1)
    expect(await keeper.append([sampleRecord(1)])).toBe(0)
    expect(await keeper.append([sampleRecord(1), sampleRecord(2)])).toBe(1)
    expect(await findRequestIds(keeper)).toEqual(['R2', 'R1'])
    await keeper.close()
  })

  test('a record from the future, and the same request on two deployments, are records like others', async () => {
    const keeper = await open()
    const future = new Date(SAMPLE_NOW + 10 * 365 * 86_400_000).toISOString()
    await keeper.append([
      sampleRecord(1, { deploymentid: 'a' }),
      sampleRecord(1, { deploymentid: 'b' }),
      sampleRecord(2, { time: future }),
      sampleRecord(3, { requestID: undefined }),
    ])
    expect(await findRequestIds(keeper)).toEqual(['R2', '', 'R1', 'R1'])
    expect(await findRequestIds(keeper, { to: SAMPLE_NOW })).toEqual(['', 'R1', 'R1'])
    await keeper.close()
  })

  test('filters of one field are alternatives, those of different fields must all match [LGS-06]', async () => {
    const keeper = await open()
    const stored = (n: number, bucket: string, object: string, more: object = {}) =>
      sampleRecord(n, {
        api: { name: n % 2 ? 'PutObject' : 'GetObject', bucket, object, status: 'OK', statusCode: 200 },
        ...more,
      })
    await keeper.append([
      stored(1, 'photos', 'lake.jpg', { accessKey: 'AK', parentUser: 'ann' }),
      stored(2, 'photos', 'lakexjpg'),
      stored(3, 'photos2', '100%_\\"\''),
      stored(4, 'logs', '100 percent'),
      stored(5, 'logs', 'line\nend größe 湖'),
      stored(6, 'logs', 'a*b', { userAgent: 'stowage-tool sampler' }),
      stored(7, 'logs', 'zero\0'),
    ])
    const found = async (...filters: string[]) =>
      (await findRequestIds(keeper, { filters })).map((id) => Number(id.slice(1))).sort()
    expect(await found('bucket:photos')).toEqual([1, 2])
    expect(await found('bucket:photo*')).toEqual([1, 2, 3])
    expect(await found('bucket:Photos')).toEqual([])
    expect(await found('object:*.jpg')).toEqual([1, 2])
    expect(await found('object:*\\.jpg')).toEqual([1])
    expect(await found('object:100%_\\\\"\'')).toEqual([3])
    expect(await found('object:100*')).toEqual([3, 4])
    expect(await found('object:100%')).toEqual([])
    expect(await found("object:' or 1=1 --")).toEqual([])
    expect(await found('object:*湖')).toEqual([5])
    expect(await found('object:a\\*b')).toEqual([6])
    expect(await found('object:zero*')).toEqual([7])
    expect(await found('api_name:Put*', 'bucket:photos', 'bucket:logs')).toEqual([1, 5, 7])
    expect(await found('user:ann')).toEqual([1])
    expect(await found('user:AK')).toEqual([1])
    expect(await found('response_status:20.', 'request_id:R4')).toEqual([4])
    expect(await found('response_status:O*', 'source:tes.', 'request_id:R4')).toEqual([4])
    expect(await findRequestIds(keeper, { tools: false, filters: ['object:a*b'] })).toEqual([])
    expect(await findRequestIds(keeper, { requests: new Set(['R2', 'R5']) })).toEqual(['R5', 'R2'])
    expect(await findRequestIds(keeper, { requests: new Set(['R2']), filters: ['bucket:logs'] })).toEqual([])
    await keeper.close()
  })

  test('a record is returned with all its members, whatever they contain', async () => {
    const keeper = await open()
    const stored = sampleRecord(1, {
      api: {
        name: 'x',
        bucket: 'b',
        object: 'o',
        statusCode: 1e300,
        timeToResponseInNS: '12345678901',
        rx: 0.5,
        tx: 7,
      },
      tags: { zero: 'a\0b', half: '\ud800', list: [1, null, { deep: [] }], text: '{"a":"}' },
      requestHeader: { 'X-Request-Id': 'console-1' },
    })
    await keeper.append([stored, sampleRecord(2, { api: 5, requestID: {}, time: 7 })])
    const { records } = await readAuditPage(keeper, sampleQuery({ requests: new Set(['console-1']) }))
    const { rawText: _, ...members } = stored
    expect(records).toEqual([members])
    await keeper.close()
  })

  test('the latest record of a source, and how late it came', async () => {
    const keeper = await open()
    expect(await keeper.latestArrival('test')).toBeUndefined()
    const before = Date.now()
    await keeper.append([sampleRecord(1), sampleRecord(2)])
    const { at = 0, lag = 0 } = (await keeper.latestArrival('test')) ?? {}
    expect(at).toBeGreaterThanOrEqual(before)
    expect(lag).toBeGreaterThanOrEqual(Math.floor(before - sampleRecord(2).at))
    await keeper.close()
  })
}
