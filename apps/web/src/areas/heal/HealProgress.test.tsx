// @vitest-environment happy-dom
import '../../testing/dom.ts'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '../../testing/render.tsx'
import { HealProgress } from './HealProgress.tsx'

test('the size, the healed and scanned objects, the time and the unhealthy items of a heal [HEA-04]', async () => {
  const message = {
    bytesScanned: 1536,
    objectsHealed: 2,
    objectsScanned: 5,
    itemsHealed: 2,
    itemsScanned: 6,
    itemsHealthStatus: [],
    healDuration: 7,
    healthBeforeCols: { Green: 3, Red: 3 },
    healthAfterCols: { Green: 5, Red: 1 },
  }
  render(<HealProgress message={message} />)
  const findFigure = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent
  expect(await findFigure('Size scanned')).toBe('1.5KiB')
  expect(await findFigure('Objects healed / scanned')).toBe('2 / 5')
  expect(await findFigure('Healing time')).toBe('7 s')
  expect(await findFigure('Not green')).toBe('1')
})
