import { expect, test } from 'vitest'
import {
  type DashboardDrive,
  type DashboardServer,
  driveFill,
  driveState,
  findFaults,
  hasOtherData,
  networkHealth,
  serverState,
  sortServers,
  weakestErasureSet,
} from './server-health.ts'

const drive = (over: Partial<DashboardDrive> = {}): DashboardDrive => ({
  uuid: '',
  endpoint: over.drivePath || '/data/d1',
  state: 'ok',
  drivePath: '/data/d1',
  rootDisk: false,
  healing: false,
  model: '',
  totalSpace: 100,
  usedSpace: 30,
  availableSpace: 70,
  ...over,
})

const server = (endpoint: string, over: Partial<DashboardServer> = {}): DashboardServer => ({
  endpoint,
  state: 'online',
  uptime: 1,
  version: '',
  commitID: '',
  poolNumber: 1,
  network: {},
  drives: [],
  ...over,
})

test('servers and their drives are sorted by endpoint, ignoring case [DSH-05]', () => {
  const drives = ['/data/d10', '/data/D2', '/data/d1'].map((drivePath) => drive({ drivePath }))
  const given = [server('Stow-10:9000'), server('stow-2:9000', { drives }), server('STOW-1:9000'), server('apple:9000')]
  const sorted = sortServers(given)
  expect(sorted.map(({ endpoint }) => endpoint)).toEqual(['apple:9000', 'STOW-1:9000', 'stow-2:9000', 'Stow-10:9000'])
  expect(sorted[2]?.drives.map(({ endpoint }) => endpoint)).toEqual(['/data/d1', '/data/D2', '/data/d10'])
  expect(given[0]?.endpoint).toBe('Stow-10:9000')
})

test.each([
  ['online', 'ok', 'Online'],
  ['offline', 'bad', 'Offline'],
  ['initializing', 'unknown', 'Initializing'],
  ['', 'unknown', 'Unknown'],
])('a server that is %j: %s, %s [DSH-24]', (state, mark, word) =>
  expect(serverState(server('a', { state }))).toEqual({ mark, word }),
)

test.each([
  ['ok', false, 'ok', 'Online'],
  ['ok', true, 'run', 'Healing'],
  ['offline', false, 'bad', 'Offline'],
  ['offline', true, 'bad', 'Offline'],
  ['permission-denied', false, 'bad', 'Permission denied'],
  ['unknown', false, 'unknown', 'Unknown'],
])('a drive that is %j, healing %j: %s, %s [DSH-24]', (state, healing, mark, word) =>
  expect(driveState(drive({ state, healing }))).toEqual({ mark, word }),
)

test('peers in any state but online count as lost', () => {
  const network = { 'd:9000': 'online', 'c:9000': 'offline', 'b:9000': 'initializing' }
  expect(networkHealth(server('a', { network }))).toEqual({ healthy: 1, total: 3, lost: ['b:9000', 'c:9000'] })
})

test.each([
  ['the store alone', drive(), { own: 0.3, other: 0 }, false],
  ['other data beside it', drive({ usedSpace: 10 }), { own: 0.1, other: 0.2 }, true],
  ['more than its size', drive({ usedSpace: 130, availableSpace: 0 }), { own: 1, other: 0 }, false],
  ['no size told', drive({ totalSpace: 0 }), { own: 0, other: 0 }, false],
])("use of a drive's space: %s", (_name, given, fill, shares) => {
  expect(driveFill(given).own).toBeCloseTo(fill.own)
  expect(driveFill(given).other).toBeCloseTo(fill.other)
  expect(hasOtherData(given)).toBe(shares)
})

test('faults are listed by name; with several servers including the server', () => {
  const drives = [drive({ drivePath: '/d1', state: 'offline' }), drive({ drivePath: '', endpoint: 'http://a/d2' })]
  const a = server('a:9000', { drives })
  expect(findFaults([a])).toEqual({ servers: [], drives: ['/d1'] })
  expect(
    findFaults([a, server('b:9000', { state: 'offline', drives: [drive({ drivePath: '', state: 'faulty' })] })]),
  ).toEqual({ servers: ['b:9000'], drives: ['a:9000 /d1', 'b:9000 /data/d1'] })
})

test('the set that can lose the fewest drives more counts; a drive that is being healed counts as lost', () => {
  const set = (n: number, ...states: Partial<DashboardDrive>[]) =>
    states.map((over) => drive({ pool: 0, set: n, ...over }))
  const [ok, off, healing] = [{}, { state: 'offline' }, { healing: true }]
  const of = (...drives: DashboardDrive[][]) => weakestErasureSet([server('a:9000', { drives: drives.flat() })], 2)
  expect(of(set(0, ok, ok), set(1, ok, ok))).toBeUndefined()
  expect(of(set(0, ok, off, ok, ok), set(1, off, healing, ok, ok))).toEqual({ out: 2, total: 4, more: 0 })
  expect(of(set(0, ok, off, ok, ok))).toEqual({ out: 1, total: 4, more: 1 })
})
