import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib'
import { parseSwitch } from '../../config/value-types.ts'
import { withoutForeignBytes } from './foreign-answer.ts'
import { keepConnection } from './kept-connection.ts'
import { type OpenTarget, parseEventMessage } from './open-target.ts'

interface AmqpClient {
  model: ChannelModel
  channel: ConfirmChannel
  /** IDs of messages that were returned as unroutable; the broker returns them before it confirms them. */
  returned: Set<string>
  /** Returns why the broker has closed the channel. */
  closedBy(): Error | undefined
}

/** Errors that the broker itself has sent, and those about the connection. */
const isBrokerError = ({ message }: Error): boolean =>
  /^(Handshake terminated by server: \d+ \(|Socket closed|connect ETIMEDOUT|Expected ConnectionOpenOk)/.test(message)

/**
 * Publishes each event to an exchange. It counts as accepted when the broker confirms it; a mandatory message that is returned
 * fails.
 */
export const openAmqp: OpenTarget = ({ arn, values, egress }) => {
  const { url = '', exchange = '', exchange_type: type = '', routing_key: routingKey = '' } = values
  const isOn = (key: string) => parseSwitch(values[key] ?? '') === true
  const { protocol, hostname, port, pathname, username, password } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isSecure = protocol === 'amqps:'

  const connection = keepConnection<AmqpClient>({
    async open({ onLost, onFailure }) {
      const address = {
        protocol: protocol.slice(0, -1),
        // The library connects itself, so it gets the address that was checked.
        hostname: await egress.resolve(host, Number(port) || (isSecure ? 5671 : 5672)),
        ...(port === '' ? {} : { port: Number(port) }),
        ...(username === '' ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
        vhost: decodeURIComponent(pathname.slice(1)) || '/',
        heartbeat: 30,
      }
      const model = await connect(address, { timeout: 10_000, servername: host }).catch((error: unknown) => {
        throw withoutForeignBytes(error, 'an AMQP broker', isBrokerError)
      })
      onFailure(() => model.close())
      model.on('error', onLost)
      model.on('close', onLost)
      const channel = await model.createConfirmChannel()
      const returned = new Set<string>()
      let reason: Error | undefined
      channel.on('error', (error: Error) => {
        reason = error
        onLost()
      })
      channel.on('close', onLost)
      channel.on('return', ({ properties }) => void returned.add(String(properties.messageId)))
      if (exchange !== '' && type !== '') {
        const options = { durable: isOn('durable'), internal: isOn('internal'), autoDelete: isOn('auto_deleted') }
        await channel.assertExchange(exchange, type, options)
      }
      return { model, channel, returned, closedBy: () => reason }
    },
    close: ({ model }) => model.close(),
  })
  return {
    arn,
    send: (message, signal) =>
      connection.use(signal, async ({ channel, returned, closedBy }) => {
        const { bucket, eventName } = parseEventMessage(message)
        const messageId = crypto.randomUUID()
        await new Promise<void>((resolve, reject) => {
          channel.publish(
            exchange,
            routingKey,
            Buffer.from(message),
            {
              mandatory: isOn('mandatory'),
              contentType: 'application/json',
              deliveryMode: values.delivery_mode === '2' ? 2 : 1,
              messageId,
              headers: { 'minio-bucket': bucket, 'minio-event': eventName },
            },
            // The error itself only reports that the channel is closed.
            (error: unknown) => (error ? reject(closedBy() ?? error) : resolve()),
          )
        })
        if (returned.delete(messageId)) throw new Error(`no queue takes messages with the routing key "${routingKey}"`)
      }),
    close: () => connection.close(),
  }
}
