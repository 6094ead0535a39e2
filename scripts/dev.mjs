// `npm run dev`: server and store from source, restarted on change, and the web app with hot reload in front of them.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.mjs'

await ensureInstalled()
const root = fileURLToPath(new URL('..', import.meta.url))
const port = process.env.STOWAGE_PORT ?? '9090'
const tsx = join(root, 'node_modules', '.bin', 'tsx')
const server = spawn(tsx, ['watch', '--clear-screen=false', 'apps/server/src/main.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: root,
})

const { createServer } = await import('vite')
const web = await createServer({
  root: join(root, 'apps/web'),
  server: { proxy: { '^/(api|ws|healthz|readyz)': { target: `http://127.0.0.1:${port}`, ws: true } } },
})
await web.listen()
console.log(`Web app with hot reload: ${web.resolvedUrls?.local[0]}`)

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void web.close())
// A terminal sends Ctrl-C to the server too; a signal to this process alone must be passed on.
process.on('SIGTERM', () => server.kill('SIGTERM'))
server.on('exit', (code) => process.exit(code ?? 0))
