import type { Secret } from 'kubernetes-types/core/v1'
import { ISSUER } from '../auth/issuer.ts'
import {
  type Controller,
  type ControllerContext,
  deleteAsController,
  joinTaskName,
  putAsController,
  splitTaskName,
} from './controller.ts'

const TYPE = 'kubernetes.io/service-account-token'
const NAME = 'kubernetes.io/service-account.name'
const UID = 'kubernetes.io/service-account.uid'

/** Fills secrets that request the token of an account, and deletes them together with the account. */
export function tokenSecretController(context: ControllerContext): Controller {
  const { store, tokens, authority } = context
  const ofAccount = (namespace: string | undefined, name: string) =>
    store
      .list('secrets', namespace)
      .filter(({ type, metadata }) => type === TYPE && metadata.annotations?.[NAME] === name)
      .map(({ metadata }) => joinTaskName(metadata.namespace, metadata.name))
  return {
    name: 'token secrets',
    all: () => store.list('secrets').map(({ metadata }) => joinTaskName(metadata.namespace, metadata.name)),
    affected({ kind, object }) {
      const { namespace, name } = object.metadata
      if (kind === 'serviceaccounts') return ofAccount(namespace, name)
      return kind === 'secrets' && object.type === TYPE ? [joinTaskName(namespace, name)] : []
    },
    async reconcile(joined) {
      const { namespace = '', name } = splitTaskName(joined)
      const secret = store.get('secrets', namespace, name)
      if (!secret || secret.type !== TYPE || secret.metadata.deletionTimestamp) return
      const account = store.get('serviceaccounts', namespace, secret.metadata.annotations?.[NAME] ?? '')
      const made = secret.metadata.annotations?.[UID]
      if (!account || (made !== undefined && made !== account.metadata.uid))
        return deleteAsController(context, 'secrets', secret)
      const data = (secret as Secret).data ?? {}
      if (data.token !== undefined) return
      const { uid } = account.metadata
      const bound = { kind: 'Secret', name, uid: secret.metadata.uid }
      const token = await tokens.issue({ namespace, name: account.metadata.name, uid, audiences: [ISSUER], bound })
      const base64 = (text: string) => Buffer.from(text).toString('base64')
      putAsController(context, 'secrets', {
        ...secret,
        metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, [UID]: uid } },
        data: { ...data, token: base64(token), 'ca.crt': base64(authority.cert), namespace: base64(namespace) },
      })
    },
  }
}
