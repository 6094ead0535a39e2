import { expect, test } from 'vitest'
import { OpenSockets } from './open-sockets.ts'

const socket = (session: string) => ({ session, end: () => undefined })

test('of 2,000 sockets 1,024 open, 64 per session; one that closes makes room', () => {
  const sockets = new OpenSockets()
  const refused: number[] = []
  const leave: (() => void)[] = []
  for (let n = 0; n < 2000; n++) {
    const session = `session-${n % 20}`
    try {
      sockets.refuseTooMany(session)
      leave.push(sockets.enter(socket(session)))
    } catch (error) {
      refused.push((error as { status: number }).status)
    }
  }
  expect(sockets.size).toBe(1024)
  expect(new Set(refused)).toEqual(new Set([503]))
  leave[0]?.()
  sockets.refuseTooMany('session-1')
  const few = new OpenSockets()
  for (let n = 0; n < 64; n++) few.enter(socket('one'))
  expect(() => few.refuseTooMany('one')).toThrow(expect.objectContaining({ status: 429 }))
  few.refuseTooMany('other')
})
