// `npm run coverage`: lists the requirement ids in test titles, by area (the three letters). `npm run coverage --
// requirements.tsv` compares them with a list: ids in the first column, after one header line.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const ID = /\b[A-Z]{3}-\d{2,3}\b/g
/** The title of a test that runs; skipped and todo tests are not counted. */
const TITLE =
  /\b(?:test|it|describe|\w+Test)(?:\.(?:each|concurrent|sequential|for)\b[^(`'"]*(?:\([^)]*\))?)?\s*\(\s*(['"`])((?:(?!\1)[\s\S]){1,400})\1/g

function* testFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !/^(node_modules|dist)$/.test(entry.name)) yield* testFiles(path)
    else if (/\.test\.tsx?$/.test(entry.name)) yield path
  }
}

const named = new Set()
for (const folder of ['apps', 'packages', 'sandbox', 'tests', 'scripts']) {
  for (const file of testFiles(join(root, folder))) {
    for (const [, , title] of readFileSync(file, 'utf8').matchAll(TITLE)) {
      for (const id of title.match(ID) ?? []) named.add(id)
    }
  }
}

const [list] = process.argv.slice(2)
const wanted =
  list &&
  new Set(
    readFileSync(list, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t', 1)[0]),
  )
const areas = {}
for (const id of [...(wanted ?? named)].sort()) {
  areas[id.slice(0, 3)] ??= []
  areas[id.slice(0, 3)].push(id)
}
for (const [area, ids] of Object.entries(areas)) {
  const missing = ids.filter((id) => !named.has(id))
  console.log(`${area} ${ids.length - missing.length}${wanted ? ` of ${ids.length}` : ''}`)
  if (missing.length > 0) console.log(`    without a test: ${missing.join(' ')}`)
}
const unknown = wanted ? [...named].filter((id) => !wanted.has(id)) : []
if (unknown.length > 0) console.log(`not in ${list}: ${unknown.join(' ')}`)
console.log(`${named.size - unknown.length} requirements are named by a test`)
