// `npm run check` runs this: the rules about rooms, layers and names that no linter has.
//   - An import never points up: `layers.mjs` has the order of the folders.
//   - A folder has at most 25 source files, and the name of a file is unique in its package.
//   - An exported name is unique in the tree, or one concept in several layers (`same-names.json` says which, and why).
//   - No function is named `…Of`: a name says what it is where it is read (CONTRIBUTING.md, "Words").
// `node scripts/structure/structure.mjs --counts` prints the figures.
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXCEPTIONS, LAYERS, PACKAGES, PUBLIC_PARTS, SINGLE_IMPORTERS } from './layers.mjs'
import { readTree } from './read-tree.mjs'

export const MAX_FILES = 25

/** File names with which every folder says the same. */
const CONVENTIONS = /^(index|types|pages|columns|endpoints|examples|samples|main|version)\.(ts|tsx|mjs)$/

/**
 * Returns what is wrong, one line each.
 * @param files of `readTree`
 * @param rules the tables of `layers.mjs`; `sameNames` are the exported names, and the file names as `file:name.ts`, that may
 * occur more than once
 */
export function findProblems(files, rules) {
  const sources = files.filter(({ test }) => !test)
  return [
    ...sources.flatMap((file) => importProblems(file, rules)),
    ...folderProblems(sources),
    ...nameProblems(files, rules.sameNames),
  ]
}

function importProblems({ path, imports }, rules) {
  if (Object.hasOwn(rules.exceptions, path)) return []
  return imports.flatMap((target) => {
    const problem = packageProblem(path, target, rules) ?? directionProblem(path, target, rules)
    return problem === undefined ? [] : [`${path} imports ${target}: ${problem}`]
  })
}

/** The first two folders, such as `packages/kube`; of other files the first one. */
const packageFolder = (path) => /^((apps|packages|sandbox)\/[^/]+|[^/]+)/.exec(path)[0]

const isBelow = (path, folder) => path.startsWith(`${folder}/`)

function packageProblem(path, target, { packages, singleImporters }) {
  const from = packageFolder(path)
  const to = packageFolder(target)
  if (from === to) return undefined
  const allowed = packages[from]
  if (allowed !== undefined && !allowed.includes(to) && !allowed.includes(target))
    return `${from} may import ${allowed.join(', ') || 'no package'}`
  const importer = singleImporters[from]?.[to]
  return importer === undefined || isBelow(path, importer) ? undefined : `only ${importer} may import ${to}`
}

/** Compares two files where their paths divide: in the folder that holds both. */
function directionProblem(path, target, { layers, publicParts }) {
  if (packageFolder(path) !== packageFolder(target)) return undefined
  const from = path.split('/')
  const to = target.split('/')
  let at = 0
  while (from[at] === to[at] && at < from.length - 1 && at < to.length - 1) at++
  const folder = from.slice(0, at).join('/')
  for (const [whole, { part, for: folders }] of Object.entries(publicParts)) {
    if (isBelow(target, whole) && !isBelow(target, part) && folders.some((each) => isBelow(path, each))) {
      return `only ${part} is for this folder`
    }
  }
  const order = layers[folder] ?? []
  const fromLevel = layerIndex(order, from, at)
  const toLevel = layerIndex(order, to, at)
  if (fromLevel === undefined || toLevel === undefined) {
    return `${fromLevel === undefined ? from[at] : to[at]} has no place in the layers of ${folder}`
  }
  const areFiles = at === from.length - 1 && at === to.length - 1
  if (fromLevel < toLevel || (fromLevel === toLevel && areFiles)) return undefined
  return fromLevel === toLevel
    ? `${from[at]} and ${to[at]} are apart in ${folder}`
    : `${to[at]} is above ${from[at]} in ${folder}`
}

/** The place of the part of a path that is directly in a folder; undefined if the folder's layers do not name it. */
function layerIndex(order, parts, at) {
  const isFile = at === parts.length - 1
  // Without layers the files of a folder are above its folders, and these are apart.
  if (order.length === 0) return isFile ? 0 : 1
  const find = (name) => order.findIndex((layer) => [layer].flat().includes(name))
  const index = find(parts[at])
  if (index >= 0) return index
  return isFile && find('*.ts') >= 0 ? find('*.ts') : undefined
}

function folderProblems(sources) {
  const folders = new Map()
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
  const problems = findProblems(files, {
    packages: PACKAGES,
    singleImporters: SINGLE_IMPORTERS,
    layers: LAYERS,
    publicParts: PUBLIC_PARTS,
    exceptions: EXCEPTIONS,
    sameNames,
  })
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
