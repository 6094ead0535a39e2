import { expect, test } from 'vitest'
import { ACTIONS, actionFamily, actionInfo } from './catalogue.ts'

const names = (family: string) =>
  [...ACTIONS.values()].filter((info) => info.family === family).map((info) => info.name)

test('every family is there', () => {
  expect(names('s3')).toHaveLength(59)
  expect(names('admin')).toHaveLength(74)
  expect(names('kms')).toHaveLength(21)
  expect(names('sts')).toEqual(['sts:AssumeRoleWithWebIdentity'])
})

test.each([
  ['s3:GetObject', 'object', true],
  ['s3:ListBucket', 'bucket', true],
  ['s3:ListAllMyBuckets', 'account', true],
  ['s3:PutObjectFanOut', 'object', false],
  ['admin:ServerInfo', 'account', true],
  ['admin:ExportIAM', 'account', false],
  ['kms:CreateKey', 'account', false],
])('%s is about a %s; known in 2021: %s', (name, level, in2021) => {
  const info = actionInfo(name)
  expect(info?.level).toBe(level)
  expect(info?.servers.includes('minio-2021')).toBe(in2021)
})

test.each([
  ['s3:ListBucket', 's3:prefix', true],
  ['s3:GetObject', 's3:prefix', false],
  ['s3:GetObject', 's3:ExistingObjectTag', true],
  ['s3:PutObject', 's3:ExistingObjectTag', false],
  ['s3:PutObject', 's3:x-amz-copy-source', true],
  ['s3:GetObject', 'jwt:sub', true],
  ['admin:CreateServiceAccount', 'svc:DurationSeconds', true],
  ['admin:ListUsers', 's3:authType', false],
  ['sts:AssumeRoleWithWebIdentity', 'aws:username', false],
])('%s with %s: %s', (name, key, allowed) => {
  expect(actionInfo(name)?.conditionKeys?.has(key)).toBe(allowed)
})

test.each([
  ['s3:GetObject', 's3'],
  ['admin:*', 'admin'],
  ['kms:X', 'kms'],
  ['sts:X', 'sts'],
  ['*', 's3'],
])('%s belongs to %s', (name, family) => {
  expect(actionFamily(name)).toBe(family)
})
