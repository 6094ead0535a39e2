import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from '../../../packages/object-store/src/events/targets/testing/free-ports.ts'

/** scripts/brokers.mjs installs it. */
export const hasPrometheus = existsSync('/usr/bin/prometheus')

export interface TestPrometheus extends AsyncDisposable {
  url: string
  log: () => string
}

/** Runs `promtool`. @returns its output */
export function promtool(args: string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('/usr/bin/promtool', args, {
    input,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  return { status, output: stdout + stderr }
}

/**
 * Starts a real Prometheus.
 * @param config the content of `prometheus.yml`
 * @param past samples in the OpenMetrics format that it has from the beginning
 */
export async function startPrometheus(config: string, past?: string): Promise<TestPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-prometheus-'))
  const data = join(folder, 'data')
  await mkdir(data)
  const file = join(folder, 'prometheus.yml')
  await writeFile(file, config)
  if (past !== undefined) {
    await writeFile(join(folder, 'past.txt'), past)
    const { status, output } = promtool(['tsdb', 'create-blocks-from', 'openmetrics', join(folder, 'past.txt'), data])
    if (status !== 0) throw new Error(output)
  }
  const port = await freePorts(1)
  const child = spawn(
    '/usr/bin/prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=10y',
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let log = ''
  child.stdout.on('data', (chunk) => (log += chunk))
  child.stderr.on('data', (chunk) => (log += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; !(await isReady()); tries++) {
    if (child.exitCode !== null || tries > 1200) {
      await stop()
      throw new Error(`Prometheus did not start:\n${log.slice(-2000)}`)
    }
    await wait(25)
  }
  return { url, log: () => log, [Symbol.asyncDispose]: stop }
}
