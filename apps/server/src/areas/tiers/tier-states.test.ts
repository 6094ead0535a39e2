import { expect, test } from 'vitest'
import { TierStates } from './tier-states.ts'

let now = 0
let tests = 0
const count = async () => ({ online: true, problem: `${++tests}` })
const states = new TierStates(() => now)
const read = async (name: string, fresh = false) => (await states.get(name, fresh, count)).problem

test('a tier is tested once a minute, on demand, and after a change', async () => {
  expect(await read('A')).toBe('1')
  now += 59_999
  expect(await read('A')).toBe('1')
  expect(await read('B')).toBe('2')
  now += 1
  expect(await read('A')).toBe('3')
  expect(await read('A', true)).toBe('4')
  states.update('A', { online: false, problem: 'down' })
  expect(await read('A')).toBe('down')
  states.forget('A')
  expect(await read('A')).toBe('5')
})

test('results of tiers that are gone, or were never listed, are not kept', async () => {
  states.update('C', { online: false, problem: 'down' })
  expect(await read('C')).toBe('6')
  states.keepOnly(['C'])
  expect(await read('C')).toBe('6')
  expect(await read('A')).toBe('7')
})

test('a test that fails is made again', async () => {
  await expect(states.get('D', false, () => Promise.reject(new Error('the caller left')))).rejects.toThrow()
  expect(await read('D')).toBe('8')
})
