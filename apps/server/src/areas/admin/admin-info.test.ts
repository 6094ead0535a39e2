import type { DriveInfo, ServerInfo } from '@stowage/madmin'
import { expect, test } from 'vitest'
import { convertServerInfo } from './admin-info.ts'

const drive = (totalspace: number, device?: string): DriveInfo => ({
  endpoint: '/data/d1',
  path: '/data/d1',
  uuid: '',
  state: totalspace > 0 ? 'ok' : 'offline',
  model: '',
  rootDisk: false,
  healing: false,
  totalspace,
  usedspace: 0,
  availspace: totalspace,
  device,
  pool: 0,
  set: 0,
  index: 0,
})

const makeServerInfo = (servers: DriveInfo[][]): ServerInfo => ({
  mode: 'online',
  region: '',
  deploymentID: '',
  sqsARN: [],
  notifications: [],
  buckets: { count: 3 },
  objects: { count: undefined },
  versions: { count: 0 },
  deleteMarkers: { count: 0 },
  usage: { size: 10 },
  backend: {
    backendType: 'Erasure',
    onlineDrives: 4,
    offlineDrives: 0,
    standardParity: 2,
    reducedParity: 1,
    totalSets: [1],
    drivesPerSet: [4],
  },
  servers: servers.map((drives, i) => ({
    endpoint: `stow-${i}:9000`,
    state: 'online',
    uptime: 1,
    version: '',
    commitID: '',
    poolNumbers: [1],
    network: {},
    drives,
  })),
  sets: [],
})

test.each<[string, DriveInfo[][], number]>([
  ['drives of their own', [['8:1', '8:2', '8:3', '8:4'].map((device) => drive(100, device))], 200],
  ['one file system for all', [Array.from({ length: 4 }, () => drive(100, '8:1'))], 50],
  ['the same numbers on two servers', [[drive(100, '8:1')], [drive(100, '8:1')]], 100],
  ['file systems that are not told', [[drive(100), drive(100)]], 100],
  ['an offline drive listed before its neighbour', [[drive(0, '8:1'), drive(100, '8:1')]], 50],
])('usable capacity: %s', (_name, servers, usable) =>
  expect(convertServerInfo(makeServerInfo(servers)).usableCapacity).toBe(usable),
)

test('without parity the usable capacity is unknown', () => {
  const info = makeServerInfo([[drive(100)]])
  const converted = convertServerInfo({ ...info, backend: { ...info.backend, standardParity: undefined } })
  expect(converted).not.toHaveProperty('usableCapacity')
})

test('a missing figure is 0; the age is passed on unchanged', () => {
  expect(convertServerInfo(makeServerInfo([]))).toMatchObject({ buckets: 3, objects: 0, usage: 10 })
  expect(convertServerInfo(makeServerInfo([]))).not.toHaveProperty('countedAt')
  expect(convertServerInfo(makeServerInfo([]), null).countedAt).toBeNull()
  expect(convertServerInfo(makeServerInfo([]), '2026-11-21T12:00:00Z').countedAt).toBe('2026-11-21T12:00:00Z')
})
