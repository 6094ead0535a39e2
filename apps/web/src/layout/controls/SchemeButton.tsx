import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { msg, useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/icons/Icon.tsx'

export const colorSchemes = [
  { value: 'light', label: msg('Light'), icon: IconSun },
  { value: 'dark', label: msg('Dark'), icon: IconMoon },
  { value: 'auto', label: msg('Same as the system'), icon: IconDeviceDesktop },
] as const

/** The menu to choose light, dark, or the system's colour scheme. */
export function SchemeButton({ className }: { className?: string | undefined }) {
  const t = useT()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = colorSchemes.find((scheme) => scheme.value === colorScheme) ?? colorSchemes[2]
  const label = t('Color scheme: {{scheme}}', { scheme: t(current.label) })
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon aria-label={label} className={className ?? ''}>
            <Icon of={current.icon} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {colorSchemes.map((scheme) => (
          <Menu.Item
            key={scheme.value}
            leftSection={<Icon of={scheme.icon} />}
            rightSection={scheme.value === colorScheme ? <Icon of={IconCheck} size={14} /> : null}
            onClick={() => setColorScheme(scheme.value)}
          >
            {t(scheme.label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
