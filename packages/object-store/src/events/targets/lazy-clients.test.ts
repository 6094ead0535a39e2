import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const START = new URL('../../main.ts', import.meta.url)
/** Client libraries of brokers: megabytes of code that a store without such a target never needs. */
const HEAVY = ['amqplib', 'ioredis', 'kafkajs', 'mqtt', 'mysql2/promise', 'pg']

/** Returns every module that is loaded with a file by static imports; other packages by name. */
function loadedWith(start: URL): Set<string> {
  const seen = new Set<string>()
  const open = [start]
  for (let file = open.pop(); file; file = open.pop()) {
    if (seen.has(file.href)) continue
    seen.add(file.href)
    const text = readFileSync(file, 'utf8')
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s)?'([^']+)'/gm)) {
      if (name.startsWith('.')) open.push(new URL(name, file))
      else seen.add(name)
    }
  }
  return seen
}

test('the store starts without the client libraries of brokers', () => {
  const loaded = loadedWith(START)
  expect(loaded.size).toBeGreaterThan(100)
  expect(HEAVY.filter((name) => loaded.has(name))).toEqual([])
})

test.each(HEAVY)('%s is loaded with its kind of target', (name) => {
  const file = name === 'amqplib' ? 'amqp' : (/^[a-z]+/.exec(name)?.[0] ?? '')
  const files: Record<string, string> = { ioredis: 'redis', kafkajs: 'kafka', mysql: 'mysql', pg: 'postgres' }
  expect(loadedWith(new URL(`${files[file] ?? file}.ts`, import.meta.url)).has(name)).toBe(true)
})
