import { FocusTrap } from '@mantine/core'
import { useDidUpdate, useMediaQuery } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isCalculatorOpen } from '../areas/tenants/tenant-palette.ts'
import { cx } from '../lib/cx.ts'
import { runShortcut, useShortcuts } from '../lib/navigation/shortcuts.ts'
import { useStore } from '../lib/store.ts'
import { useT } from '../lib/text/i18n.ts'
import { isDialogOpen } from '../ui/keyboard/open-dialogs.ts'
import { takeLostFocus, useFocusReturn } from '../ui/keyboard/restore-focus.ts'
import { loadableDialog } from '../ui/lazy/loadable.tsx'
import { hidesSidebar } from './controls/shell-rules.ts'
import { paletteOpen, shortcutsOpen, sidebarOpen, sidebarOverlay } from './controls/shell-state.ts'
import { keepEarlyKeys, takeEarlyKeys } from './palette/early-keys.ts'
import { RestartBanner } from './RestartBanner.tsx'
import { refuseDrops } from './refuse-drops.ts'
import css from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'

const ShortcutsDialog = loadableDialog(
  async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog,
  () => shortcutsOpen.set(false),
)
const Palette = loadableDialog(
  async () => (await import('./palette/Palette.tsx').catch(endEarlyKeys)).Palette,
  () => paletteOpen.set(false),
)

/** Releases the palette's keys if it could not be loaded, because the error view needs them. */
function endEarlyKeys(failure: unknown): never {
  takeEarlyKeys()
  throw failure
}

const CalculatorDialog = loadableDialog(
  async () => (await import('../areas/tenants/wizard/size/CalculatorDialog.tsx')).CalculatorDialog,
)

/** The layout around every page: sidebar, top bar, banners, command palette. */
export function Shell() {
  const t = useT()
  const pathname = useLocation({ select: (place) => place.pathname })
  const narrow = useMediaQuery('(max-width: 767px)', undefined, { getInitialValueInEffect: false })
  const open = useStore(sidebarOpen)
  const over = useStore(sidebarOverlay)
  const palette = useStore(paletteOpen)
  const help = useStore(shortcutsOpen)
  const calculator = useStore(isCalculatorOpen)
  const sidebar = !hidesSidebar(pathname)
  // The button that hides the sidebar, or the one in the top bar that shows it: only one of them is rendered.
  const toggle = useRef<HTMLButtonElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is opened
  useEffect(() => sidebarOverlay.set(false), [pathname])
  // The effect also ends if the layout crashes, which returns the keys to the page.
  useEffect(keepEarlyKeys, [])
  useEffect(refuseDrops, [])
  useDidUpdate(() => takeLostFocus(toggle.current), [open])
  useShortcuts('everywhere', {
    palette() {
      // The palette does not open over another dialog, which may contain input.
      if (paletteOpen.get() || !isDialogOpen()) paletteOpen.set((was) => !was)
    },
    help: () => !isDialogOpen() && shortcutsOpen.set(true),
  })

  return (
    <div className={cx(css.app, sidebar && !narrow && open && css.withSidebar)}>
      {/* Not a link to `#page`, which with `<base href>` would lead to another page. */}
      <button type="button" className={css.skip} onClick={() => document.getElementById('page')?.focus()}>
        {t('Skip to the page')}
      </button>
      {sidebar && !narrow && open && (
        <aside className={css.side}>
          <Sidebar onHide={() => sidebarOpen.set(false)} hideRef={toggle} />
        </aside>
      )}
      {sidebar && narrow && over && <SidebarOverlay onClose={() => sidebarOverlay.set(false)} />}
      {narrow && over && <div className={css.scrim} aria-hidden="true" onClick={() => sidebarOverlay.set(false)} />}
      <div className={css.main}>
        <TopBar
          menu={sidebar && (narrow || !open)}
          menuRef={toggle}
          onMenu={() => (narrow ? sidebarOverlay.set(true) : sidebarOpen.set(true))}
        />
        <RestartBanner />
        <main id="page" className={css.page} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {palette && <Palette />}
      {help && <ShortcutsDialog />}
      {calculator && <CalculatorDialog onClose={() => isCalculatorOpen.set(false)} />}
    </div>
  )
}

/** The sidebar as an overlay. It keeps the focus, and returns it to the button that opened it. */
function SidebarOverlay({ onClose }: { onClose: () => void }) {
  useFocusReturn()
  return (
    <FocusTrap>
      <aside className={css.over} onKeyDown={(event) => runShortcut('overlays', event, { close: onClose })}>
        <Sidebar onHide={onClose} />
      </aside>
    </FocusTrap>
  )
}
