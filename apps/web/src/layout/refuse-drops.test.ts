// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { refuseDrops } from './refuse-drops.ts'

let end = () => {}
afterEach(() => end())

/** Dispatches a drag event of files or text, depending on `types`. */
function drag(kind: 'dragover' | 'drop', types: string[], onto: EventTarget = document.body) {
  const dataTransfer = { types, dropEffect: 'copy' }
  const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), { dataTransfer })
  onto.dispatchEvent(event)
  return { prevented: event.defaultPrevented, effect: dataTransfer.dropEffect }
}

test.each(['dragover', 'drop'] as const)('files are rejected on %s outside a drop target', (kind) => {
  end = refuseDrops()
  expect(drag(kind, ['Files'])).toEqual({ prevented: true, effect: 'none' })
})

test('a drop target still accepts files, and text can be dropped as before', () => {
  end = refuseDrops()
  const zone = document.body.appendChild(document.createElement('div'))
  zone.addEventListener('dragover', (event) => event.preventDefault())
  expect(drag('dragover', ['Files'], zone)).toEqual({ prevented: true, effect: 'copy' })
  expect(drag('drop', ['text/plain'])).toEqual({ prevented: false, effect: 'copy' })
})
