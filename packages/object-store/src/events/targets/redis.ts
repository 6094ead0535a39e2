import { once } from 'node:events'
import { AbstractConnector, Redis } from 'ioredis'
import { parseSwitch } from '../../config/value-types.ts'
import { connectTls, tlsOptions } from './certificates.ts'
import { withoutForeignBytes } from './foreign-answer.ts'
import { keepConnection } from './kept-connection.ts'
import { type OpenTarget, parseEventMessage, parseHostAndPort } from './open-target.ts'

/** Errors of Redis begin with a known word; the library's own are about the connection. */
const isRedisError = ({ name, message }: Error): boolean =>
  name === 'ReplyError'
    ? /^(ERR|WRONGPASS|NOAUTH|NOPERM|LOADING|READONLY|MOVED|MISCONF|OOM|DENIED|MASTERDOWN)\b/.test(message)
    : /^Connection is closed|^Stream isn't writeable/.test(message)

/** Writes a hash with one field for each object, or a list with one item for each event. An answer means accepted. */
export const openRedis: OpenTarget = ({ arn, values, egress, certificates }) => {
  const { address = '', key = '', format, user = '', password = '' } = values
  const target = parseHostAndPort(address)
  const isOn = (name: string) => parseSwitch(values[name] ?? '') === true

  class GuardedConnector extends AbstractConnector {
    constructor() {
      super(0)
    }
    override async connect() {
      const plain = await egress.connect(target)
      this.stream = plain
      if (!isOn('tls')) return plain
      const options = await tlsOptions(certificates, {
        skipVerify: isOn('tls_skip_verify'),
        ca: values.cert_authority ?? '',
        cert: values.client_cert ?? '',
        key: values.client_key ?? '',
      })
      const secure = connectTls(plain, target.host, options)
      this.stream = secure
      await once(secure, 'secureConnect')
      return secure
    }
  }

  const connection = keepConnection<Redis>({
    async open({ onLost, onFailure }) {
      const redis = new Redis({
        Connector: GuardedConnector,
        lazyConnect: true,
        retryStrategy: null,
        maxRetriesPerRequest: 0,
        enableOfflineQueue: false,
        ...(user === '' ? {} : { username: user }),
        ...(password === '' ? {} : { password }),
      })
      onFailure(() => redis.disconnect())
      redis.on('end', onLost)
      // The event has the cause; `connect` only reports that the connection has ended.
      const failed = new Promise<never>((_, reject) => void redis.on('error', reject))
      await Promise.race([failed, redis.connect()]).catch((error: unknown) => {
        throw withoutForeignBytes(error, 'a Redis server', isRedisError)
      })
      return redis
    },
    close: (redis) => redis.disconnect(),
  })
  return {
    arn,
    send: (message, signal) =>
      connection.use(signal, async (redis) => {
        const { key: field, records, record, time, isRemoval } = parseEventMessage(message)
        if (format === 'access') await redis.rpush(key, JSON.stringify([{ Event: [record], EventTime: time }]))
        else if (isRemoval) await redis.hdel(key, field)
        else await redis.hset(key, field, records)
      }),
    close: () => connection.close(),
  }
}
