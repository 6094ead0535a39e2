import { expect, test } from 'vitest'
import { wireKubeEvent } from './object-events.ts'

const event = {
  metadata: { namespace: 'team-a', creationTimestamp: '2026-01-01T00:00:00Z' },
  eventTime: '2026-01-01T00:00:10Z',
  firstTimestamp: '2026-01-01T00:00:20Z',
  lastTimestamp: '2026-01-01T00:01:00Z',
  type: 'Warning',
  reason: 'BackOff',
  message: 'Back-off restarting failed container',
  involvedObject: { kind: 'Pod', name: 'media-pool-0-1' },
}
const second = (time: string) => Date.parse(time) / 1000

test('an event has its namespace, time, message, type and reason [TNT-35]', () => {
  expect(wireKubeEvent(event)).toEqual({
    namespace: 'team-a',
    last_seen: second('2026-01-01T00:01:00Z'),
    event_type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting failed container',
    object: 'Pod/media-pool-0-1',
  })
})

test('it was last seen at its last occurrence; events that are not repeated have one time [TNT-35]', () => {
  const { lastTimestamp: _, ...once } = event
  expect(wireKubeEvent(once).last_seen).toBe(second('2026-01-01T00:00:10Z'))
  const { eventTime: __, ...bare } = once
  expect(wireKubeEvent(bare).last_seen).toBe(second('2026-01-01T00:00:00Z'))
  expect(wireKubeEvent({ metadata: {}, involvedObject: {} }).last_seen).toBe(0)
})
