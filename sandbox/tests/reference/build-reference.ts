import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The release of the tests and recordings; must match `go.mod` in this folder. */
export const REFERENCE_VERSION = 'v1.33.13'

const PROGRAMS = ['kube-apiserver', 'kube-controller-manager'] as const
const OLDEST_GO = 24
const ETCD_MISSING = 'etcd is missing. Install it with:\n  sudo apt-get install -y --no-install-recommends etcd-server'
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'stowage', `kube-${REFERENCE_VERSION}`)

export interface ReferencePrograms {
  readonly apiServer: string
  readonly controllerManager: string
  readonly etcd: string
}

/** Returns the programs of the reference server, or what is missing. */
export function findReferencePrograms(): ReferencePrograms | { readonly missing: string } {
  const [apiServer, controllerManager] = PROGRAMS.map((name) => join(folder, name)) as [string, string]
  if (!existsSync(apiServer) || !existsSync(controllerManager))
    return { missing: `Kubernetes ${REFERENCE_VERSION} is not built in ${folder}. Run \`npm run kube\`.` }
  const etcd = findEtcd()
  return etcd === '' ? { missing: ETCD_MISSING } : { apiServer, controllerManager, etcd }
}

function findEtcd(): string {
  return spawnSync('sh', ['-c', 'command -v etcd'], { encoding: 'utf8' }).stdout.trim()
}

/** Builds missing programs from the Go modules, one package at a time; takes about fifteen minutes on two cores, once. */
export function buildReferencePrograms(): void {
  const wanted = PROGRAMS.filter((name) => !existsSync(join(folder, name)))
  if (wanted.length === 0) return
  checkGo()
  // Before the long build, because the programs cannot be started without it.
  if (findEtcd() === '') fail(ETCD_MISSING)
  mkdirSync(folder, { recursive: true })
  for (const file of ['go.mod', 'go.sum'])
    copyFileSync(fileURLToPath(new URL(file, import.meta.url)), join(folder, file))
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(REFERENCE_VERSION) ?? []
  const version = { gitVersion: REFERENCE_VERSION, gitMajor: major, gitMinor: minor, gitTreeState: 'archive' }
  const flags = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((path) =>
    Object.entries(version).map(([name, value]) => `-X ${path}.${name}=${value}`),
  )
  for (const name of wanted) {
    console.log(`Building ${name} ${REFERENCE_VERSION} in ${folder} …`)
    // Built under another name first, so that an interrupted build does not look finished.
    const args = ['build', '-p', '1', '-trimpath', '-ldflags', ['-s -w', ...flags].join(' '), '-o', `${name}.part`]
    const { status, signal } = spawnSync('nice', ['go', ...args, `k8s.io/kubernetes/cmd/${name}`], {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly' },
    })
    if (status !== 0) process.exit(signal ? 128 + constants.signals[signal] : (status ?? 1))
    renameSync(join(folder, `${name}.part`), join(folder, name))
  }
}

function checkGo(): void {
  const { stdout } = spawnSync('go', ['env', 'GOVERSION'], {
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  })
  const minor = Number(/^go1\.(\d+)/.exec(stdout ?? '')?.[1] ?? 0)
  if (minor >= OLDEST_GO) return
  const found = minor === 0 ? 'there is no `go` on the path' : `this is ${stdout.trim()}`
  fail(`Building Kubernetes ${REFERENCE_VERSION} needs Go 1.${OLDEST_GO} or newer; ${found}. See https://go.dev/dl/`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
