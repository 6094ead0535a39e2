import {
  ACTIONS,
  type ActionName,
  ADMIN_OPERATIONS,
  type AdminOperationRights,
  askedActions,
  S3_OPERATIONS,
  S3_REQUEST_PARTS,
  type S3OperationRights,
} from '@stowage/iam-policy'
import { expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { ADMIN_PROBES } from './admin-probes.ts'
import { createWorld } from './decision-run.ts'
import { ProbeSender } from './probe-sender.ts'
import { s3Probes } from './s3-probes.ts'

// Walks the table of operations: a request of each needs exactly the rights of its row.

interface Walked {
  name: string
  rights: ActionName[]
  send(): Promise<{ status: number; text: string }>
}

test.skipIf(process.env.STOWAGE_TEST_SERVER)(
  'every operation needs the rights of its row in the table, and no other',
  async () => {
    const c = await sharedConsole()
    const world = await createWorld(c)
    const sender = new ProbeSender(c.serverUrl)
    const policy = c.freshName('walk')
    const user = { accessKey: c.freshName('walker'), secretKey: 'a secret of this walk' }
    const setRights = (actions: readonly ActionName[]) => {
      const family = (name: string) => actions.filter((action) => action.startsWith(name))
      const statement = (Action: ActionName[], more: object = {}) =>
        Action.length === 0 ? [] : [{ Effect: 'Allow', Action, ...more }]
      const Statement = [
        ...statement(family('s3:'), { Resource: ['arn:aws:s3:::*'] }),
        ...statement(family('admin:')),
        // A policy needs a statement.
        { Effect: 'Deny', Action: ['kms:*'] },
      ]
      return c.madmin.addPolicy(policy, { Version: '2012-10-17', Statement })
    }
    await setRights([])
    await c.madmin.addUser(user.accessKey, { secretKey: user.secretKey })
    await c.madmin.setPolicyMapping({ user: user.accessKey, policies: [policy] })
    const walked: Walked[] = [
      ...Object.entries(s3Probes(world)).flatMap(([name, probes]) =>
        probes
          // The answer of ListBuckets is filtered, and the policy of the bucket must stay.
          .filter(({ kind }) => kind !== 'list-buckets')
          .map((probe) => ({
            name,
            rights: probe.asks.flatMap(({ action }) =>
              askedActions(action, 'stowage').map((asked) => asked.action as ActionName),
            ),
            send: () => sender.s3(probe, world.bucket, user, {}),
          })),
      ),
      ...Object.entries(ADMIN_PROBES).flatMap(([name, probe]) =>
        typeof probe === 'string' ? [] : [{ name, rights: [probe.action], send: () => sender.admin(probe, user, {}) }],
      ),
    ]
    const wrong: string[] = []
    for (const { name, rights } of walked) {
      const unlisted = rights.filter((right) => !rowRights(name).has(right))
      if (unlisted.length > 0) wrong.push(`${name}: ${unlisted.join(', ')} is not in its row`)
    }
    const isDenied = ({ status, text }: { status: number; text: string }) =>
      (status === 403 && /AccessDenied|^$/.test(text)) || text.includes('<Code>AccessDenied</Code>')
    const groups = new Map<string, Walked[]>()
    for (const one of walked) {
      const key = one.rights.join(' ')
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
    for (const [rights, operations] of groups) {
      const needed = rights.split(' ') as ActionName[]
      await setRights(needed)
      for (const { name, send } of operations)
        if (isDenied(await send())) wrong.push(`${name} is denied with ${rights}`)
      for (const missing of needed) {
        await setRights(
          [...ACTIONS.values()].flatMap(({ name, servers, family }) =>
            name !== missing && servers.includes('stowage') && (family === 's3' || family === 'admin') ? [name] : [],
          ),
        )
        for (const { name, send } of operations)
          if (!isDenied(await send())) wrong.push(`${name} is not denied without ${missing}`)
      }
    }
    sender.close()
    expect(wrong).toEqual([])
    expect(walked.length).toBeGreaterThan(130)
  },
)

function rowRights(name: string): Set<ActionName> {
  const found = new Set<ActionName>()
  const s3 = (S3_OPERATIONS as Record<string, S3OperationRights>)[name]
  const parts = (s3?.parts ?? []).map((part): Pick<S3OperationRights, 'action' | 'version'> => S3_REQUEST_PARTS[part])
  for (const one of s3 ? [s3, ...(s3.also ? [s3.also] : []), ...parts] : []) {
    found.add(one.action)
    if (one.version) found.add(one.version)
  }
  const admin = (ADMIN_OPERATIONS as Record<string, AdminOperationRights>)[name]
  for (const action of [...(admin?.any ?? []), ...(admin?.depends ?? [])]) found.add(action)
  return found
}
