import { IconCalculator } from '@tabler/icons-react'
import type { PaletteSource } from '../../lib/navigation/palette-entry.ts'
import { createStore } from '../../lib/store.ts'
import { useT } from '../../lib/text/i18n.ts'

export const isCalculatorOpen = createStore(false)

/** Returns palette entries for commands that need no tenant. */
export function useTenantPalette(): PaletteSource {
  const t = useT()
  return {
    items: [],
    commands: [{ label: t('Erasure Code Calculator'), icon: IconCalculator, run: () => isCalculatorOpen.set(true) }],
  }
}
