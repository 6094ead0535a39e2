import { CompressionTypes, type ISocketFactory, Kafka, logLevel, type Producer, type SASLOptions } from 'kafkajs'
import { parseSwitch, splitList } from '../../config/value-types.ts'
import { MessageRefusedError } from '../delivery/queue-sender.ts'
import { connectTls, tlsOptions } from './certificates.ts'
import { keepConnection } from './kept-connection.ts'
import { type OpenTarget, parseEventMessage } from './open-target.ts'

/** Broker errors that are permanent for a message. */
const REFUSED = new Set(['MESSAGE_TOO_LARGE', 'INVALID_RECORD', 'RECORD_LIST_TOO_LARGE'])

/** Produces each event under the key of its object. It counts as accepted when all in-sync replicas have it. */
export const openKafka: OpenTarget = ({ arn, values, egress, certificates }) => {
  const { brokers = '', topic = '' } = values
  const isOn = (key: string) => parseSwitch(values[key] ?? '') === true

  /** Also used for the addresses that brokers report. */
  const socketFactory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    const plain = egress.socket().connect(port, host)
    if (!ssl) return plain.once('connect', onConnect)
    // An error in one stream must end the other.
    const secure = connectTls(plain, host, ssl).once('secureConnect', onConnect)
    plain.on('error', (error) => secure.destroy(error))
    return secure
  }

  const connection = keepConnection<Producer>({
    async open({ onLost, onFailure }) {
      const ssl = isOn('tls')
        ? await tlsOptions(certificates, {
            skipVerify: isOn('tls_skip_verify'),
            cert: values.client_tls_cert ?? '',
            key: values.client_tls_key ?? '',
          })
        : false
      const sasl = isOn('sasl') ? saslOptions(values) : undefined
      const kafka = new Kafka({
        clientId: 'stowage',
        brokers: splitList(brokers),
        ssl,
        ...(sasl && { sasl }),
        connectionTimeout: 5000,
        requestTimeout: 8000,
        retry: { retries: 0 },
        logLevel: logLevel.NOTHING,
        socketFactory,
      })
      const producer = kafka.producer({ allowAutoTopicCreation: false, retry: { retries: 0 } })
      producer.on(producer.events.DISCONNECT, onLost)
      onFailure(() => producer.disconnect())
      await producer.connect()
      return producer
    },
    close: (producer) => producer.disconnect(),
  })
  return {
    arn,
    send: (message, signal) =>
      connection.use(signal, async (producer) => {
        const { key } = parseEventMessage(message)
        const compression = values.compression_codec === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None
        try {
          await producer.send({ topic, acks: -1, compression, messages: [{ key, value: message }] })
        } catch (error) {
          throw asRefusal(error)
        }
      }),
    close: () => connection.close(),
  }
}

function asRefusal(error: unknown): unknown {
  // The library wraps errors of brokers. Its own classes cannot be imported by name from an ES module.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const type = cause instanceof Error && 'type' in cause ? String(cause.type) : ''
  return REFUSED.has(type) ? new MessageRefusedError((cause as Error).message) : cause
}

function saslOptions({
  sasl_mechanism: mechanism = '',
  sasl_username: username = '',
  sasl_password: password = '',
}: Readonly<Record<string, string>>): SASLOptions {
  if (mechanism.endsWith('256')) return { mechanism: 'scram-sha-256', username, password }
  if (mechanism.endsWith('512')) return { mechanism: 'scram-sha-512', username, password }
  return { mechanism: 'plain', username, password }
}
