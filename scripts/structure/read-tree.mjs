// Reads what `structure.mjs` judges: the source files, what they import and what they export.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Tests and their support are free in what they import. */
const isTest = (path) =>
  /\.(test|bench|check)\.tsx?$/.test(path) || /(^|\/)(testing(\/|\.ts$)|test-support\.ts$)|\/tests\//.test(path)

/**
 * Returns the source files of the tree that git tracks or would track.
 * @returns {{ path: string, test: boolean, imports: string[], exports: string[], functions: string[] }[]} paths from the root;
 * `imports` are files of the tree, `functions` the names of all functions in the file
 */
export function readTree(root) {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  // A file in conflict is listed several times.
  const paths = [...new Set(list.toString().split('\n'))].filter(
    (path) => /\.(ts|tsx|mjs)$/.test(path) && existsSync(join(root, path)),
  )
  const packages = readPackages(root, list.toString().split('\n'))
  return paths.map((path) => {
    const source = readFileSync(join(root, path), 'utf8')
    const { program, module } = parseSync(path, source)
    const requests = [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
      ...module.dynamicImports.map(({ moduleRequest }) =>
        source.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
      ),
    ]
    const imports = [...new Set(requests.flatMap((request) => resolveImport(path, request, packages) ?? []))]
    return { path, test: isTest(path), imports, exports: exportedNames(program), functions: functionNames(program) }
  })
}

/** Returns the directory and the export map of each package of the tree, by its name. */
function readPackages(root, paths) {
  const packages = new Map()
  for (const path of paths) {
    if (!path.endsWith('package.json') || path === 'package.json' || !existsSync(join(root, path))) continue
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'))
    packages.set(name, { directory: dirname(path), exports })
  }
  return packages
}

function resolveImport(path, request, packages) {
  if (request.startsWith('.')) return normalize(join(dirname(path), request.replace(/\?.*$/, '')))
  const [, name, rest = ''] = /^(@stowage\/[^/]+)(?:\/(.+))?$/.exec(request) ?? []
  const found = packages.get(name)
  if (found === undefined) return undefined
  const target = found.exports[rest === '' ? '.' : `./${rest}`] ?? found.exports['./*']?.replace('*', rest)
  return target && normalize(join(found.directory, target))
}

/** Names that the file itself declares and exports; re-exports do not count. */
function exportedNames(program) {
  const names = new Set()
  for (const { type, declaration } of program.body) {
    if (type !== 'ExportNamedDeclaration' || !declaration) continue
    if (declaration.type !== 'VariableDeclaration') names.add(declaration.id.name)
    else for (const { id } of declaration.declarations) for (const name of boundNames(id)) names.add(name)
  }
  return [...names]
}

function boundNames(pattern) {
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'ObjectPattern') return pattern.properties.flatMap(({ value }) => boundNames(value))
  return []
}

function functionNames(program) {
  const names = []
  const isFunction = (node) => node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression'
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    if (Array.isArray(node)) {
      for (const each of node) visit(each)
      return
    }
    if (node.type === 'FunctionDeclaration') names.push(node.id?.name)
    else if (node.type === 'VariableDeclarator' && isFunction(node.init)) names.push(node.id.name)
    else if (node.type === 'MethodDefinition' || node.type === 'TSMethodSignature') names.push(node.key.name)
    else if (node.type === 'Property' && isFunction(node.value)) names.push(node.key.name)
    for (const key in node) if (typeof node[key] === 'object') visit(node[key])
  }
  visit(program.body)
  return names.filter((name) => name !== undefined)
}
