import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A small breakage of the behaviour that a requirement names, and the test file that must notice it. */
export interface Mutant {
  /** The requirement, such as `BKT-12`; an id may have several mutants. */
  id: string
  /** The file to break; paths are relative to the root of the repository. */
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  replace: string
  /** The test file; only its tests whose names contain the id count. */
  test: string
  /** True: run the whole test file, because the tests that name the id need others before them. */
  whole?: boolean
}

const FOLDER = 'tests/mutants'
const KEYS = ['id', 'file', 'find', 'replace', 'test', 'whole']

/** Reads `tests/mutants/<AREA>.json`, in the order of the areas. */
export function readMutants(root: string): Mutant[] {
  return areaFiles(root).flatMap((name) => parseMutants(readFileSync(join(root, FOLDER, name), 'utf8')))
}

/** Parses the text of one area's file. */
export function parseMutants(text: string): Mutant[] {
  return JSON.parse(text) as Mutant[]
}

const areaFiles = (root: string) =>
  readdirSync(join(root, FOLDER))
    .filter((name) => name.endsWith('.json'))
    .sort()

/** Returns what is wrong with the recorded mutants, one line each. Reads files only: cheap enough for `npm run check`. */
export function findMutantProblems(root: string): string[] {
  return areaFiles(root).flatMap((name) => {
    const path = `${FOLDER}/${name}`
    const text = readFileSync(join(root, path), 'utf8')
    const mutants = parseMutants(text)
    const seen = new Set<string>()
    return mutants.flatMap((mutant) => {
      const key = `${mutant.id}\0${mutant.file}\0${mutant.find}\0${mutant.replace}`
      const repeated = seen.has(key) ? ['is recorded twice'] : []
      seen.add(key)
      const area = name.replace('.json', '')
      return [...repeated, ...mutantProblems(root, area, mutant)].map((problem) => `${path}: ${mutant.id} ${problem}`)
    })
  })
}

function mutantProblems(root: string, area: string, mutant: Mutant): string[] {
  const unknown = Object.keys(mutant).filter((key) => !KEYS.includes(key))
  if (unknown.length > 0) return [`has unknown fields: ${unknown.join(', ')}`]
  if (!/^[A-Z]{3}-\d{2,3}$/.test(mutant.id) || !mutant.id.startsWith(`${area}-`)) return [`does not belong to ${area}`]
  return [...sourceProblems(root, mutant), ...testProblems(root, mutant)]
}

function sourceProblems(root: string, { file, find, replace }: Mutant): string[] {
  if (!existsSync(join(root, file))) return [`names ${file}, which does not exist`]
  if (find === replace) return ['replaces a text by itself']
  const source = readFileSync(join(root, file), 'utf8')
  const count = source.split(find).length - 1
  if (count !== 1) return [`finds its text ${count} times in ${file}: ${JSON.stringify(find)}`]
  if (!/\.(ts|tsx|mjs|js)$/.test(file)) return []
  const [error] = parseSync(file, applyMutant(source, { find, replace })).errors
  return error === undefined ? [] : [`makes a text that is no program: ${error.message}`]
}

function testProblems(root: string, { id, test }: Mutant): string[] {
  if (!existsSync(join(root, test))) return [`names ${test}, which does not exist`]
  // A name that is not in a title is found by running the mutant: it is `unnamed` then.
  return namesId(readFileSync(join(root, test), 'utf8'), id) ? [] : [`is not named by a test in ${test}`]
}

/** Returns the source with the breakage. The replacement is taken literally, without the patterns of `String.replace`. */
export function applyMutant(source: string, { find, replace }: Pick<Mutant, 'find' | 'replace'>): string {
  return source.split(find).join(replace)
}

/** Whether the name of a test contains the id, and not only one that begins like it. */
export const namesId = (name: string, id: string): boolean => new RegExp(`${id}(?!\\d)`).test(name)
