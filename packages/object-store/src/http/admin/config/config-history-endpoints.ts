import { S3Error } from '../../../lib/errors.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, sendSealed, wireTime } from '../endpoint/payload.ts'
import { callerUser, sendConfigChanged } from './config-endpoints.ts'

/** Calls for the history of configuration changes. */
export const adminConfigHistoryEndpoints: AdminEndpoint[] = [
  {
    name: 'ListConfigHistoryKV',
    method: 'GET',
    path: 'list-config-history-kv',
    query: ['count'],
    handle(call) {
      const count = queryParameter(call, 'count')
      if (!/^\d{1,9}$/.test(count)) throw new S3Error('XMinioAdminInvalidArgument', 'The count must be a whole number.')
      // The newest ones. Other servers truncate in the order of random IDs.
      const entries = Number(count) === 0 ? [] : call.store.config.history().slice(-Number(count))
      return sendSealed(
        call,
        entries.map(({ id, at, data, user }) => ({ restoreId: id, createTime: wireTime(at), data, user })),
      )
    },
  },
  {
    name: 'ClearConfigHistoryKV',
    method: 'DELETE',
    path: 'clear-config-history-kv',
    query: ['restoreId'],
    async handle(call) {
      await call.store.config.clearHistory(queryParameter(call, 'restoreId'))
      call.empty(200)
    },
  },
  {
    name: 'RestoreConfigHistoryKV',
    method: 'PUT',
    path: 'restore-config-history-kv',
    query: ['restoreId'],
    async handle(call) {
      await sendConfigChanged(
        call,
        await call.store.config.restore(queryParameter(call, 'restoreId'), callerUser(call)),
      )
    },
  },
]
