import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Starts a program of this product as a worker thread: the built one, or its source in TypeScript. */
export function startProgram(program: URL, options: WorkerOptions): Worker {
  if (!program.pathname.endsWith('.ts')) return new Worker(program, options)
  // Node 20 cannot read TypeScript, and the option `--import` does not reach all threads.
  const loader = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs')
  const imports = [pathToFileURL(loader).href, program.href].map((url) => `import(${JSON.stringify(url)})`)
  return new Worker(`${imports[0]}.then((tsx) => { tsx.register(); return ${imports[1]} })`, { ...options, eval: true })
}
