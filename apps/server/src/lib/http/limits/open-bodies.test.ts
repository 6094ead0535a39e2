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

test('if one caller sends too many bodies, the oldest of them is aborted and no others', () => {
  const { bodies, cut, enter } = setup()
  enter('b')
  for (let i = 0; i < 5; i++) enter('a')
  expect([cut, bodies.size]).toEqual([['a2', 'a3'], 4])
})

test('if there are too many bodies in total, the oldest is aborted to admit the next one', () => {
  const { bodies, cut, enter } = setup()
  for (const caller of 'abcdefghijkl') enter(caller)
  expect([cut, bodies.size]).toEqual([['a1', 'b2'], 10])
})

test('a body is not counted after it has arrived, and leaves no state', () => {
  const { bodies, cut, enter } = setup()
  const leave = Array.from({ length: 3 }, () => enter('a'))
  for (const each of leave) each()
  for (const each of leave) each()
  for (let i = 0; i < 3; i++) enter('a')
  expect([cut, bodies.size]).toEqual([[], 3])
})
