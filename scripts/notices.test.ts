import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readNotices } from './notices.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { packages, texts } = readNotices(root)

test('every library that the program uses is listed with its license', () => {
  const names = new Set(packages.map(({ name }) => name))
  for (const folder of ['apps/server', 'apps/web', 'packages/object-store']) {
    const { dependencies } = JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8'))
    for (const name of Object.keys(dependencies)) if (!name.startsWith('@stowage/')) expect(names).toContain(name)
  }
  expect(packages.filter(({ license }) => license === '')).toEqual([])
})

test('a library that was copied into the program has the text of its license, found in its README if need be', () => {
  const licenseText = (wanted: string) => texts[packages.find(({ name }) => name === wanted)?.text ?? -1]
  expect(licenseText('react')).toContain('Copyright (c) Meta Platforms')
  expect(licenseText('@fontsource-variable/inter')).toContain('SIL OPEN FONT LICENSE')
  expect(licenseText('pg-types')).toMatch(/^The MIT License[\s\S]*Brian M. Carlson/)
})

test('tools of developers are not listed', () => {
  const names = packages.map(({ name }) => name)
  for (const tool of ['vitest', 'typescript', '@biomejs/biome']) expect(names).not.toContain(tool)
})
