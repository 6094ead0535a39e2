import { expect, test } from 'vitest'
import { callerFromAccountInfo } from '../../../lib/permissions/caller-permissions.ts'
import { allowedPages } from './allowed-pages.ts'

const FREE = [
  '/account',
  '/account/change-password',
  '/license',
  '/object-browser',
  '/object-browser/:bucket',
  '/object-browser/:bucket/*',
]
const BUCKETS = ['/buckets', '/buckets/*']
const ADMIN = [
  '/dashboard',
  '/metrics',
  '/settings',
  '/remote-buckets',
  '/replication',
  '/users',
  '/users/:userName+',
  '/groups',
  '/policies',
  '/policies/:policyName',
  '/profiling',
  '/heal',
  '/trace',
  '/logs',
  '/health-info',
  '/watch',
]

const allow = (...Action: string[]) => ({ Effect: 'Allow', Action, Resource: ['arn:aws:s3:::*'] })
const deny = (...Action: string[]) => ({ Effect: 'Deny', Action, Resource: ['arn:aws:s3:::*'] })
const caller = (...Statement: object[]) =>
  callerFromAccountInfo({ policy: { Version: '2012-10-17', Statement } }, 'minio-2025')

test.each([
  ['nothing', [], FREE],
  ['everything', [allow('admin:*'), allow('s3:*')], [...FREE, ...ADMIN, ...BUCKETS]],
  ['admin:*', [allow('admin:*')], [...FREE, ...ADMIN]],
  ['s3:*', [allow('s3:*')], [...FREE, '/watch', ...BUCKETS]],
  ['one action', [allow('admin:ServerInfo')], [...FREE, '/dashboard', '/metrics']],
  ['a part of what a page needs', [allow('admin:ListGroups', 'admin:AddUserToGroup')], FREE],
  ['a wildcard', [allow('admin:*Group', 'admin:ListGroups', 'admin:AddUserToGroup')], [...FREE, '/groups']],
  ['a wildcard on everything', [allow('s3:*')], [...FREE, '/watch', ...BUCKETS]],
  [
    'a denied action',
    [allow('admin:*'), deny('admin:ServerTrace')],
    [...FREE, ...ADMIN.filter((page) => page !== '/trace')],
  ],
  ['one denied action of several', [allow('admin:*'), deny('admin:DeleteUser')], [...FREE, ...ADMIN]],
  [
    'the common policy that keeps buckets from being deleted',
    [allow('s3:*'), deny('s3:DeleteBucket')],
    [...FREE, '/watch', ...BUCKETS],
  ],
  [
    'all denied actions of a page',
    [allow('admin:*'), deny('admin:ListGroups', 'admin:AddUserToGroup', 'admin:EnableGroup', 'admin:DisableGroup')],
    [...FREE, ...ADMIN.filter((page) => page !== '/groups')],
  ],
  [
    'a missing action beside a denied one',
    [allow('admin:ListGroups', 'admin:AddUserToGroup', 'admin:EnableGroup'), deny('admin:EnableGroup')],
    FREE,
  ],
  [
    'one bucket only',
    [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::one', 'arn:aws:s3:::one/*'] }],
    [...FREE, '/watch', ...BUCKETS],
  ],
  [
    'a condition',
    [{ ...allow('admin:ServerInfo'), Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } }],
    [...FREE, '/dashboard', '/metrics'],
  ],
])('%s opens its pages, in the specification’s notation [SHL-03] [LGN-16]', (_name, statements, pages) => {
  expect(allowedPages(caller(...statements)).sort()).toEqual([...new Set(pages)].sort())
})
