import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { freePort } from '../../support/processes/ports.ts'
import { collectOutput } from '../../support/processes/processes.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const MINUTES = 60_000

/** Runs `npm run dev`, which needs to know its port before it starts, so that the web app finds the server. */
async function startDev(data: string): Promise<{ child: ChildProcess; output: () => string }> {
  const env = { PATH: process.env.PATH, STOWAGE_DATA: data, STOWAGE_PORT: await freePort(), STOWAGE_STORE_PORT: '0' }
  const child = spawn(process.execPath, ['scripts/dev.mjs'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, output: collectOutput(child) }
}

ownStore.test(
  'npm run dev serves app, server and store from source, and ends when it is told to',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'stowage-dev-'))
    const { child, output } = await startDev(data)
    try {
      await expect.poll(output, { timeout: MINUTES }).toMatch(/is ready: http/)
      await expect.poll(output, { timeout: MINUTES }).toMatch(/Web app with hot reload: http/)
      const web = /hot reload: (http\S+)/.exec(output())?.[1] ?? ''
      expect(await (await fetch(`${web}login`)).text()).toContain('/@vite/client')
      const [, accessKey, secretKey] = /access key +(\S+)\s+secret key +(\S+)/.exec(output()) ?? []
      const signedIn = await fetch(`${web}api/v1/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ accessKey, secretKey }),
      })
      expect(signedIn.status).toBe(201)
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(data, { recursive: true, force: true })
    }
  },
  3 * MINUTES,
)
