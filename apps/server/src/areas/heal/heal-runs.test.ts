import type { HealStatus } from '@stowage/madmin'
import { expect, test } from 'vitest'
import { addHealStatus, HealRuns } from './heal-runs.ts'

const PATH = { bucket: 'b', prefix: '' }
const STATUS: HealStatus = { summary: 'finished', detail: '', startTime: undefined, endTime: undefined, items: [] }
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

test('a heal that ended before anyone looked lasted until its end', () => {
  const run = new HealRuns().join(PATH, 'token')
  addHealStatus(run, { ...STATUS, startTime: secondsAgo(3600), endTime: secondsAgo(3590) })
  expect(run.seconds).toBe(10)
  expect(run.isFinished).toBe(true)
})

test('without the time of its end, a heal lasted until it was first seen finished', () => {
  const run = new HealRuns().join(PATH, 'token')
  addHealStatus(run, { ...STATUS, summary: 'running', startTime: secondsAgo(20) })
  expect(run.seconds).toBe(20)
  addHealStatus(run, { ...STATUS, startTime: secondsAgo(40) })
  expect(run.seconds).toBe(40)
  addHealStatus(run, { ...STATUS, startTime: secondsAgo(500) })
  expect(run.seconds).toBe(40)
})
