import { AbstractConnector, Redis } from 'ioredis'
import { keepConnection } from './connection.ts'
import { hostAndPort, type OpenTarget, readMessage } from './target.ts'

/** Writes a hash with one field for each object, or a list with one item for each event. An answer means accepted. */
export const openRedis: OpenTarget = ({ arn, values, egress }) => {
  const { address = '', key = '', format, user = '', password = '' } = values
  const target = hostAndPort(address)

  class GuardedConnector extends AbstractConnector {
    constructor() {
      super(0)
    }
    override async connect() {
      this.stream = await egress.connect(target)
      return this.stream
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
      await Promise.race([failed, redis.connect()])
      return redis
    },
    close: (redis) => redis.disconnect(),
  })
  return {
    arn,
    send: (message, signal) =>
      connection.use(signal, async (redis) => {
        const { key: field, records, record, time, isRemoval } = readMessage(message)
        if (format === 'access') await redis.rpush(key, JSON.stringify([{ Event: [record], EventTime: time }]))
        else if (isRemoval) await redis.hdel(key, field)
        else await redis.hset(key, field, records)
      }),
    close: () => connection.close(),
  }
}
