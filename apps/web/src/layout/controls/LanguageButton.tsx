import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { toast } from '../../lib/feedback/toast.ts'
import { t, useT } from '../../lib/text/i18n.ts'
import { chooseLanguage, languageName, offeredLanguages, useLanguage } from '../../lib/text/language.ts'
import { Icon } from '../../ui/icons/Icon.tsx'

/** The menu to choose the language of the console. Hidden if there is only one. */
export function LanguageButton() {
  const t = useT()
  const current = useLanguage()
  const languages = offeredLanguages()
  if (languages.length < 2) return null
  const label = t('Language: {{language}}', { language: languageName(current) })
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon aria-label={label}>
            <Icon of={IconLanguage} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={language === current ? <Icon of={IconCheck} size={14} /> : null}
            onClick={() => void choose(language)}
          >
            {languageName(language)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

async function choose(language: string) {
  try {
    await chooseLanguage(language)
  } catch (error) {
    toast.error(t('The language could not be loaded'), String(error))
  }
}
