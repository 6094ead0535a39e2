import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DataFolderLocked } from './data-folder-lock.ts'
import { openEngine } from './open-engine.ts'
import { TestEngine } from './testing/test-engine.ts'

test('a second opening of a data folder is refused with the process ID of the first', async () => {
  await using store = await TestEngine.start(1)
  await expect(openEngine(store.options)).rejects.toThrow(new DataFolderLocked(store.options.data, process.pid))
  await store.reopen()
})

test('so is another process', async () => {
  await using store = await TestEngine.start(1)
  const program = `
    import { openEngine } from ${JSON.stringify(fileURLToPath(new URL('./open-engine.ts', import.meta.url)))}
    await openEngine(${JSON.stringify(store.options)}).catch((error) => console.log(error.name, error.pid))`
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect(stdout).toBe(`DataFolderLocked ${process.pid}\n`)
})
