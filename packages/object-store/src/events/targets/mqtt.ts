import { type IClientOptions, MqttClient } from 'mqtt'
import { parseDurationMs } from '../../config/value-types.ts'
import { withoutForeignBytes } from './foreign-answer.ts'
import { keepConnection } from './kept-connection.ts'
import type { OpenTarget } from './open-target.ts'

const PORTS: Readonly<Record<string, number>> = {
  'tcp:': 1883,
  'mqtt:': 1883,
  'ssl:': 8883,
  'tls:': 8883,
  'mqtts:': 8883,
}

/** Publishes each event. It counts as accepted after PUBACK or PUBCOMP, with qos 0 when it is written. */
export const openMqtt: OpenTarget = ({ arn, values, egress }) => {
  const { broker = '', topic = '', username = '', password = '', keep_alive_interval: keepAlive = '' } = values
  const qos = Number(values.qos) as 0 | 1 | 2
  const { protocol, hostname, port } = new URL(broker)
  const target = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (PORTS[protocol] ?? 1883),
    tls: PORTS[protocol] === 8883,
  }
  const options: IClientOptions = {
    clientId: `stowage-${crypto.randomUUID().slice(0, 8)}`,
    keepalive: Math.max(1, Math.round((parseDurationMs(keepAlive) ?? 10_000) / 1000)),
    reconnectPeriod: 0,
    queueQoSZero: false,
    clean: true,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
  }
  const connection = keepConnection<MqttClient>({
    async open({ onLost, onFailure }) {
      const socket = await egress.connect(target)
      const client = new MqttClient(() => socket, options)
      onFailure(() => client.end(true))
      client.on('close', onLost)
      await new Promise<void>((resolve, reject) => {
        client.once('connect', () => resolve())
        // The listener stays, because an error event without one would end the program.
        client.on('error', (error) => {
          reject(withoutForeignBytes(error, 'an MQTT broker'))
          client.end(true)
        })
        client.once('close', () => reject(new Error(`${target.host} closed the connection`)))
      })
      return client
    },
    close: (client) => void client.end(true),
  })
  return {
    arn,
    send: (message, signal) =>
      connection.use(signal, async (client) => {
        await client.publishAsync(topic, message, { qos })
      }),
    close: () => connection.close(),
  }
}
