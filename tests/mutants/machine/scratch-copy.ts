import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { applyMutant, type Mutant } from './mutant-data.ts'
import { testProject } from './select-mutants.ts'

/** A part of the build that tests use. */
type BuildPart = 'server' | 'store' | 'web'

const PARTS: BuildPart[] = ['server', 'store', 'web']
/** What vite bundles into the web app. */
const WEB_SOURCES = ['apps/web/', 'packages/contract/', 'packages/iam-policy/']

/**
 * A copy of the working tree in which one file at a time is broken. It is kept between runs: a later one copies only files that
 * changed. Its `node_modules` link to those of the tree, except for the workspace packages, which are the copy's own.
 */
export class ScratchCopy implements Disposable {
  private constructor(
    private readonly root: string,
    readonly folder: string,
  ) {}

  /** Returns the first copy that no other run uses, and keeps it from others until it is disposed of. */
  static claim(root: string): ScratchCopy {
    for (let number = 1; ; number++) {
      const folder = join(root, 'tmp', 'mutants', `copy-${number}`)
      mkdirSync(folder, { recursive: true })
      if (takeLock(lockPath(folder))) return new ScratchCopy(root, folder)
    }
  }

  [Symbol.dispose](): void {
    rmSync(lockPath(this.folder), { force: true })
  }

  /** Makes the copy equal to the tree and its build, which must be up to date. */
  refresh(): void {
    this.copySources()
    for (const folder of ['', ...workspaceFolders(this.root)]) linkModules(this.root, this.folder, folder)
    for (const part of PARTS) {
      const clean = this.cleanPart(part)
      rmSync(clean, { recursive: true, force: true })
      cpSync(join(this.root, 'dist', part), clean, { recursive: true })
      this.restorePart(part)
    }
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8')
  }

  /**
   * Breaks the copy, builds the parts that contain the file, and calls `use`; afterwards everything is as before.
   * @returns the errors of the build if it fails; `use` is not called then
   */
  async withMutant<T>(mutant: Mutant, use: () => Promise<T>): Promise<T | { buildErrors: string }> {
    const path = join(this.folder, mutant.file)
    const source = readFileSync(path, 'utf8')
    const { mtime } = lstatSync(path)
    const parts = this.partsWith(mutant)
    try {
      writeFileSync(path, applyMutant(source, mutant))
      if (parts.length > 0) {
        const build = spawnSync(process.execPath, ['scripts/build.mjs', ...parts], {
          cwd: this.folder,
          encoding: 'utf8',
          env: { ...process.env, STOWAGE_BUILD_UNCOMPRESSED: '1' },
        })
        if (build.status !== 0) return { buildErrors: `${build.stdout}${build.stderr}` }
      }
      return await use()
    } finally {
      writeFileSync(path, source)
      utimesSync(path, mtime, mtime)
      for (const part of parts) this.restorePart(part)
    }
  }

  /** The source maps of server and store list what they contain. An HTTP test sees only the server's half of the contract. */
  private partsWith({ file, test }: Mutant): BuildPart[] {
    const project = testProject(test)
    if (project === 'unit' || project === 'kube') return []
    const isIn: Record<BuildPart, () => boolean> = {
      server: () => this.isBundled('server', file),
      store: () => this.isBundled('store', file),
      web: () =>
        project === 'browser' ? WEB_SOURCES.some((folder) => file.startsWith(folder)) : file.startsWith('apps/web/'),
    }
    return PARTS.filter((part) => isIn[part]())
  }

  private isBundled(part: BuildPart, file: string): boolean {
    const folder = this.cleanPart(part)
    return readdirSync(folder)
      .filter((name) => name.endsWith('.map'))
      .some((name) => {
        const { sources } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { sources: string[] }
        return sources.some((source) => source.endsWith(`/${file}`))
      })
  }

  private cleanPart(part: BuildPart): string {
    return join(this.folder, 'dist', `clean-${part}`)
  }

  private restorePart(part: BuildPart): void {
    rmSync(join(this.folder, 'dist', part), { recursive: true, force: true })
    cpSync(this.cleanPart(part), join(this.folder, 'dist', part), { recursive: true })
  }

  private copySources(): void {
    const files = listFiles(this.root)
    const manifest = join(this.folder, '.files.json')
    const before = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as string[]) : []
    const wanted = new Set(files)
    for (const file of before) if (!wanted.has(file)) rmSync(join(this.folder, file), { force: true })
    for (const file of files) copyIfChanged(join(this.root, file), join(this.folder, file))
    writeFileSync(manifest, JSON.stringify(files))
  }
}

const lockPath = (folder: string) => `${folder}.lock`

/** Writes the process's id, unless the process in the file still runs. */
function takeLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    // The file exists.
    if (isRunning(Number(readFileSync(path, 'utf8')))) return false
    rmSync(path, { force: true })
    return takeLock(path)
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // No such process.
    return false
  }
}

/** Files that git tracks or would track, and that exist. */
function listFiles(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  return output.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}

function copyIfChanged(from: string, to: string): void {
  const source = lstatSync(from)
  const copy = lstatSync(to, { throwIfNoEntry: false })
  const isSame = copy?.size === source.size && Math.abs(copy.mtimeMs - source.mtimeMs) < 2
  if (isSame || !source.isFile()) return
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  utimesSync(to, source.atime, source.mtime)
}

/** Folders of workspace packages with packages of their own, such as `apps/web`. */
function workspaceFolders(root: string): string[] {
  return ['apps', 'packages', 'sandbox']
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, 'node_modules')))
}

/** Links each installed package; links inside the tree (workspace packages) keep their relative targets. */
function linkModules(root: string, copy: string, folder: string): void {
  const from = join(root, folder, 'node_modules')
  const to = join(copy, folder, 'node_modules')
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    // The workspace packages are links in this folder. Caches of tools belong to the tree.
    if (name === '@stowage') {
      mkdirSync(join(to, name), { recursive: true })
      for (const part of readdirSync(join(from, name))) link(readlinkSync(join(from, name, part)), join(to, name, part))
    } else if (!name.startsWith('.vi') && name !== '.cache') {
      link(join(from, name), join(to, name))
    }
  }
}

function link(target: string, path: string): void {
  const existing = lstatSync(path, { throwIfNoEntry: false })
  if (existing?.isSymbolicLink() && readlinkSync(path) === target) return
  rmSync(path, { recursive: true, force: true })
  symlinkSync(target, path)
}
