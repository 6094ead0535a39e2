// Builds what is older than its sources: dist/server, dist/store (rolldown) and dist/web (vite). `node scripts/build.mjs
// [--force] [server|store|web …]`; `npm start` calls `buildStale()` first.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Sources of each part; a change in any of them makes it stale. */
const parts = {
  server: ['apps/server', 'packages', 'package-lock.json', 'scripts/build.mjs'],
  store: ['packages', 'package-lock.json', 'scripts/build.mjs'],
  web: [
    'apps/web',
    'packages/contract',
    'packages/iam-policy',
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/notices.ts',
  ],
}

function* files(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return yield [path, stat]
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (/^(node_modules|dist)$|\.test\.tsx?$|\.md$/.test(entry.name)) continue
    yield* files(join(path, entry.name))
  }
}

/** Returns names, sizes and times of all sources: cheap to compute (a few ms), different after any edit or checkout. */
function fingerprint(part) {
  const hash = createHash('sha256')
  for (const source of parts[part])
    for (const [path, stat] of files(join(root, source))) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`)
  return hash.digest('hex')
}

const stampPath = (part) => join(root, 'dist', part, '.stamp')

/** Returns the parts whose output is missing or older than a source. */
export function staleParts() {
  return Object.keys(parts).filter(
    (part) => !existsSync(stampPath(part)) || readFileSync(stampPath(part), 'utf8') !== fingerprint(part),
  )
}

async function bundle(part, input) {
  const { rolldown } = await import('rolldown')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const build = await rolldown({
    input,
    platform: 'node',
    cwd: root,
    // Packages from npm are external; our own workspace packages are bundled.
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@stowage/'),
    transform: { define: { __STOWAGE_VERSION__: JSON.stringify(version) } },
  })
  await build.write({ dir: join(root, 'dist', part), format: 'esm', sourcemap: true, entryFileNames: '[name].js' })
}

/**
 * Writes `name.br` and `name.gz` next to each text file that gets smaller: the server sends these instead of compressing each
 * answer.
 */
function compressAssets(folder) {
  for (const [path, { size }] of files(folder)) {
    if (size < 1024 || !/\.(js|css|svg)$/.test(path)) continue
    const text = readFileSync(path)
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: size } }
    writeFileSync(`${path}.br`, brotliCompressSync(text, quality))
    writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }))
  }
}

async function build(part) {
  const before = fingerprint(part)
  rmSync(join(root, 'dist', part), { recursive: true, force: true })
  if (part === 'server')
    await bundle('server', {
      main: 'apps/server/src/main.ts',
      'metrics-worker': 'apps/server/src/metrics-worker.ts',
      'parser-worker': 'apps/server/src/parser-worker.ts',
    })
  if (part === 'store')
    await bundle('store', {
      main: 'packages/object-store/src/main.ts',
      standalone: 'packages/object-store/src/standalone.ts',
      'target-worker': 'packages/object-store/src/target-worker.ts',
    })
  if (part === 'web') {
    const { build: viteBuild } = await import('vite')
    await viteBuild({ root: join(root, 'apps/web'), logLevel: 'warn' })
    // The mutants are built to be looked at once.
    if (!process.env.STOWAGE_BUILD_UNCOMPRESSED) compressAssets(join(root, 'dist/web'))
  }
  mkdirSync(join(root, 'dist', part), { recursive: true })
  writeFileSync(stampPath(part), before)
}

/** Builds the stale parts in a separate process, because the bundlers keep a gigabyte of memory. */
export function buildStale() {
  const wanted = staleParts()
  if (wanted.length === 0) return
  console.log(`Building ${wanted.join(', ')} …`)
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...wanted], {
    stdio: 'inherit',
    cwd: root,
  })
  if (status !== 0) process.exit(status ?? 1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2)
  const named = args.filter((arg) => arg in parts)
  const wanted = named.length > 0 ? named : args.includes('--force') ? Object.keys(parts) : staleParts()
  for (const part of wanted) {
    const start = performance.now()
    await build(part)
    console.log(`${part}: built in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
}
