import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is small, such as that of a phone, as the style sheets know it too. */
export const useSmallScreen = (): boolean =>
  useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false })
