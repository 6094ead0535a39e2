import { parentPort } from 'node:worker_threads'
import { findArchiveMember, listArchiveMembers } from './areas/objects/archive/archive-tasks.ts'
import { readTenantYaml } from './areas/tenants/details/parse-tenant-yaml.ts'
import type { ParserAnswer, ParserCall, ParserTask } from './lib/threads/parser-task.ts'

/* The program of the worker threads that parse what callers send. An uncaught error ends the thread. */

const tasks: ReadonlyMap<string, ParserTask<never, unknown>> = new Map(
  [listArchiveMembers, findArchiveMember, readTenantYaml].map((task) => [task.name, task]),
)

const port = parentPort
if (!port) throw new Error('this program runs as a worker thread')
port.on('message', (call: ParserCall) => port.postMessage(answer(call)))

function answer({ name, input }: ParserCall): ParserAnswer {
  const task = tasks.get(name)
  if (!task) throw new Error(`there is no task ${name}`)
  try {
    // The thread that sent it chose task and input together.
    return { result: task.run(input as never) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
