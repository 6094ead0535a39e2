import { expect, test } from 'vitest'
import { OpenBodies } from './open-bodies.ts'

function setup() {
  const bodies = new OpenBodies({ atOnce: 10, each: 3 })
  const cut: string[] = []
  let n = 0
  const enter = (caller: string) => {
    const name = `${caller}${++n}`
    return bodies.enter(caller, () => cut.push(name))
  }
  return { bodies, cut, enter }
}

test('of one caller with too many bodies the oldest is cut, and nobody else’s', () => {
  const { bodies, cut, enter } = setup()
  enter('b')
  for (let i = 0; i < 5; i++) enter('a')
  expect([cut, bodies.size]).toEqual([['a2', 'a3'], 4])
})

test('of too many in all the oldest is cut, so that the next one comes in', () => {
  const { bodies, cut, enter } = setup()
  for (const caller of 'abcdefghijkl') enter(caller)
  expect([cut, bodies.size]).toEqual([['a1', 'b2'], 10])
})

test('what has arrived is counted no more, and nothing is kept of it', () => {
  const { bodies, cut, enter } = setup()
  const leave = Array.from({ length: 3 }, () => enter('a'))
  for (const each of leave) each()
  for (const each of leave) each()
  for (let i = 0; i < 3; i++) enter('a')
  expect([cut, bodies.size]).toEqual([[], 3])
})
