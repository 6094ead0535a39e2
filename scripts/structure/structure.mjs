// `npm run check` runs this: the rules about rooms, layers and names that no linter has.
//   - An import never points up: `layers.mjs` has the order of the folders.
//   - A folder has at most 25 source files, and the name of a file is unique in its package.
//   - An exported name is unique in the tree, or one concept in several layers (`same-names.json` says which, and why).
//   - No function is named `…Of`: a name says what it is where it is read (CONTRIBUTING.md, "Words").
// `node scripts/structure/structure.mjs --counts` prints the figures.
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LAYERS, PACKAGES } from './layers.mjs'
import { readTree } from './read-tree.mjs'

export const MAX_FILES = 25

/** File names with which every folder says the same. */
const CONVENTIONS = /^(index|types|pages|columns|endpoints|examples|samples|main|version)\.(ts|tsx|mjs)$/

/**
 * Returns what is wrong, one line each.
 * @param files of `readTree`
 * @param rules `layers` and `packages` as in `layers.mjs`; `sameNames` are the exported names, and the file names as
 * `file:name.ts`, that may occur more than once
 */
export function findProblems(files, { layers, packages, sameNames }) {
  const sources = files.filter(({ test }) => !test)
  return [
    ...sources.flatMap((file) => importProblems(file, layers, packages)),
    ...folderProblems(sources),
    ...nameProblems(files, sameNames),
  ]
}

function importProblems({ path, imports }, layers, packages) {
  return imports.flatMap((target) => {
    const from = packageFolder(path)
    const to = packageFolder(target)
    if (from !== to) {
      const allowed = packages[from]
      return allowed === undefined || allowed.includes('*') || allowed.includes(to) || allowed.includes(target)
        ? []
        : [`${path} imports ${target}: ${from} may import ${allowed.join(', ') || 'no other package'}`]
    }
    const problem = directionProblem(path, target, layers)
    return problem === undefined ? [] : [`${path} imports ${target}: ${problem}`]
  })
}

/** The first two folders, such as `packages/kube`; of other files the first one. */
const packageFolder = (path) => /^((apps|packages|sandbox)\/[^/]+|[^/]+)/.exec(path)[0]

/** Compares two files where their paths divide: in the folder that holds both. */
function directionProblem(path, target, layers) {
  const from = path.split('/')
  const to = target.split('/')
  let at = 0
  while (from[at] === to[at] && at < from.length - 1 && at < to.length - 1) at++
  const folder = from.slice(0, at).join('/')
  const order = layers[folder] ?? []
  const level = (parts) => {
    const name = parts[at]
    const found = order.findIndex((each) => (Array.isArray(each) ? each.includes(name) : each === name))
    if (found >= 0) return found
    // Without an entry, the files of a folder are above its folders, and these are apart.
    const rest = order.findIndex((each) => each === (parts.length - 1 === at ? '*.ts' : '*/'))
    return rest >= 0 ? rest : parts.length - 1 === at ? -1 : order.length
  }
  const bothFiles = from.length - 1 === at && to.length - 1 === at
  if (bothFiles && level(from) === level(to)) return undefined
  if (level(from) < level(to)) return undefined
  return level(from) === level(to)
    ? `${from[at]} and ${to[at]} are apart in ${folder}`
    : `${to[at]} is above ${from[at]} in ${folder}`
}

function folderProblems(sources) {
  const folders = Map.groupBy ? new Map() : new Map()
  for (const { path } of sources) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1)
  const problems = [...folders]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder} has ${count} source files: ${MAX_FILES} at most`)
  return problems
}

function nameProblems(files, sameNames) {
  const problems = []
  const product = files.filter(({ path, test }) => !test && /^(apps|packages|sandbox)\//.test(path))
  for (const [name, paths] of groupPaths(product, ({ exports }) => exports)) {
    if (paths.length > 1 && !Object.hasOwn(sameNames, name))
      problems.push(`${name} is exported by ${paths.join(' and ')}`)
  }
  const fileNames = groupPaths(product, ({ path }) => [`${packageFolder(path)} ${basename(path)}`])
  for (const [key, paths] of fileNames) {
    const name = key.split(' ')[1]
    if (paths.length > 1 && !CONVENTIONS.test(name) && !Object.hasOwn(sameNames, `file:${name}`)) {
      problems.push(`${name} is the name of ${paths.join(' and ')}`)
    }
  }
  for (const { path, functions } of files) {
    for (const name of functions)
      if (/[a-z0-9]Of$/.test(name)) problems.push(`${path}: ${name} does not say what it is`)
  }
  return problems
}

/** Returns the paths of the files by each of their keys. */
function groupPaths(files, keys) {
  const groups = new Map()
  for (const file of files) for (const key of keys(file)) groups.set(key, [...(groups.get(key) ?? []), file.path])
  return groups
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const sameNames = JSON.parse(readFileSync(join(root, 'scripts/structure/same-names.json'), 'utf8'))
  const files = readTree(root)
  const problems = findProblems(files, { layers: LAYERS, packages: PACKAGES, sameNames })
  if (process.argv.includes('--counts')) {
    const functions = files.flatMap((file) => file.functions)
    console.log(`${files.length} files, ${functions.length} functions, ${Object.keys(sameNames).length} shared names`)
  }
  for (const problem of problems) console.log(problem)
  if (problems.length > 0) {
    console.log(`${problems.length} problems of structure: see scripts/structure/structure.mjs`)
    process.exit(1)
  }
}
