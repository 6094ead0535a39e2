import {
  type ActionIconFactory,
  type ButtonFactory,
  type CheckboxFactory,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type ExtendComponent,
  type FactoryPayload,
  type InputFactory,
  type InputWrapperFactory,
  type MantineColorsTuple,
  type MantineThemeComponent,
  type MenuFactory,
  type ModalFactory,
  type NumberInputFactory,
  type PasswordInputFactory,
  type PopoverFactory,
  type SegmentedControlFactory,
  type SwitchFactory,
  type TextInputFactory,
  type TooltipFactory,
  type VariantColorsResolver,
} from '@mantine/core'

// Mantine uses index 1 and 2 for `light` backgrounds, 4 for dark-scheme text and anchors, 6 and 7 for fills, 9 for `light`
// text.
const colors = {
  sea: '#F0F8F9 #E7F3F5 #CFE6EA #A6D2D9 #67C3CD #3AB0BD #117A86 #00626D #004F59 #003E46',
  gray: '#F8FAFB #F2F6F7 #E6ECEE #DFE5E8 #C6CFD3 #8E999E #5A676D #3F4D53 #263238 #10191D',
  dark: '#E6ECEE #B1BDC2 #8D9AA0 #6C7A81 #36434A #20292E #182024 #11171A #0E1417 #0B1012',
  red: '#FEF6F6 #FCECEC #F8D9DA #EBB4B6 #FF9796 #EF5D62 #C23640 #B0222D #951A25 #7A131D',
  green: '#F3FAF6 #E9F5EE #D3EBDD #A5D6BB #6CCB94 #3FB475 #1F7F48 #1B7340 #155C33 #0F4626',
  yellow: '#FEFAF0 #FCF3DF #F8E6BC #E6C57F #E4B45C #D99A2B #8F5C00 #805200 #684300 #513400',
  blue: '#F4F8FD #EAF1FA #D5E3F5 #B4CCEA #8FBAF0 #5E98E4 #3068B4 #2A5EA6 #224D89 #1A3C6C',
}
// Each string above contains ten shades, as the tuple type requires.
const tuple = (shades: string) => shades.split(' ') as unknown as MantineColorsTuple

/**
 * Fills with white text in both schemes. Mantine's `autoContrast` would put white on a light accent in dark mode, at 2.9:1.
 * `danger` is a default button with red text; `filled` with colour red is the button inside a delete dialog.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const filled = (name: 'accent' | 'danger') => ({
    background: `var(--st-${name})`,
    hover: `var(--st-${name}-hover)`,
    color: 'var(--st-on-accent)',
    border: '1px solid transparent',
  })
  const quiet = { hover: 'var(--st-press)', hoverColor: 'var(--st-ink)', border: '1px solid transparent' }
  switch (input.variant) {
    case 'filled':
      return filled(input.color === 'red' ? 'danger' : 'accent')
    case 'default':
    case 'danger':
      return {
        background: 'var(--st-surface)',
        hover: 'var(--st-hover)',
        color: input.variant === 'danger' ? 'var(--st-bad)' : 'var(--st-ink)',
        border: '1px solid var(--st-line-2)',
      }
    case 'subtle':
      return { background: 'transparent', color: 'var(--st-ink-2)', ...quiet }
    default:
      return defaultVariantColorsResolver(input)
  }
}

/**
 * Does the same as `Button.extend` and similar functions without importing the components, because the theme is in the first
 * chunk. Mantine types the settings of a component for that component only; in the theme all have one type, as in its own
 * `extend`.
 */
const extend = <F extends FactoryPayload>(settings: ExtendComponent<F>) => settings as MantineThemeComponent

/** A field of several lines, or of labels that wrap, grows with its content. */
const inputVars = (_: unknown, { multiline }: { multiline?: boolean }) => ({
  wrapper: { '--input-height': '32px', '--input-fz': '13px', ...(multiline ? {} : { '--input-size': '32px' }) },
})
const overlay = { radius: 'md', shadow: 'none' } as const

export const theme = createTheme({
  primaryColor: 'sea',
  primaryShade: { light: 7, dark: 6 },
  colors: Object.fromEntries(Object.entries(colors).map(([name, shades]) => [name, tuple(shades)])),
  fontFamily: 'var(--st-font)',
  fontFamilyMonospace: 'var(--st-mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '8px', xl: '8px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: extend<ButtonFactory>({
      defaultProps: { variant: 'default', size: 'sm' },
      vars: (_, { size }) => ({
        root: {
          '--button-height': size === 'xs' ? '28px' : size === 'lg' ? '40px' : '32px',
          '--button-fz': '13px',
          '--button-padding-x': size === 'xs' ? '10px' : size === 'lg' ? '16px' : '12px',
        },
      }),
      styles: { root: { fontWeight: 500 }, section: { marginInlineEnd: 7 } },
    }),
    ActionIcon: extend<ActionIconFactory>({
      defaultProps: { variant: 'subtle', size: 28 },
      vars: (_, { variant }) => ({ root: variant === 'filled' ? {} : { '--ai-color': 'var(--st-ink-3)' } }),
    }),
    Input: extend<InputFactory>({ vars: inputVars }),
    InputWrapper: extend<InputWrapperFactory>({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    TextInput: extend<TextInputFactory>({ defaultProps: { size: 'sm' } }),
    NumberInput: extend<NumberInputFactory>({ defaultProps: { size: 'sm' } }),
    PasswordInput: extend<PasswordInputFactory>({
      defaultProps: { size: 'sm' },
      vars: () => ({ root: { '--psi-icon-size': '16px' } }),
    }),
    Checkbox: extend<CheckboxFactory>({
      defaultProps: { radius: 'xs' },
      vars: () => ({ root: { '--checkbox-size': '16px' } }),
    }),
    Switch: extend<SwitchFactory>({
      defaultProps: { withThumbIndicator: false },
      vars: () => ({
        root: {
          '--switch-height': '18px',
          '--switch-width': '30px',
          '--switch-thumb-size': '14px',
          '--switch-track-label-padding': '0px',
        },
      }),
    }),
    SegmentedControl: extend<SegmentedControlFactory>({ defaultProps: { radius: 'sm', transitionDuration: 0 } }),
    Modal: extend<ModalFactory>({
      defaultProps: {
        radius: 'md',
        size: 460,
        centered: true,
        overlayProps: { color: 'var(--st-scrim)', backgroundOpacity: 1 },
        transitionProps: { transition: 'fade', duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
        // A <header> element would be a second banner landmark on the page.
        attributes: { header: { role: 'none' } },
      },
      styles: {
        content: { background: 'var(--st-raised)', boxShadow: 'var(--st-shadow)' },
        header: { background: 'var(--st-raised)', minHeight: 0 },
        title: { fontSize: 15, lineHeight: '22px', fontWeight: 600, letterSpacing: '-0.008em' },
      },
    }),
    Menu: extend<MenuFactory>({
      defaultProps: {
        ...overlay,
        position: 'bottom-end',
        transitionProps: { duration: 0 },
        // A menu may only contain menu items, and the placeholder is not one.
        withInitialFocusPlaceholder: false,
      },
      styles: {
        dropdown: { boxShadow: 'var(--st-shadow)', border: 0, padding: 4, minWidth: 180 },
        item: { fontSize: 13, lineHeight: '20px', padding: '6px 10px' },
      },
    }),
    Popover: extend<PopoverFactory>({
      defaultProps: { ...overlay, transitionProps: { duration: 0 } },
      styles: { dropdown: { boxShadow: 'var(--st-shadow)', border: 0 } },
    }),
    Tooltip: extend<TooltipFactory>({
      defaultProps: {
        openDelay: 300,
        transitionProps: { duration: 0 },
        events: { hover: true, focus: true, touch: true },
      },
      styles: {
        tooltip: {
          padding: '5px 9px',
          background: 'var(--st-ink)',
          color: 'var(--st-surface)',
          fontSize: 12,
          lineHeight: '16px',
        },
      },
    }),
  },
})

/** Overrides Mantine's variables where its defaults differ from the design or have too little contrast for WCAG AA. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--st-surface)',
    '--mantine-color-text': 'var(--st-ink)',
    '--mantine-color-dimmed': 'var(--st-ink-3)',
    '--mantine-color-placeholder': 'var(--st-ink-3)',
    '--mantine-color-anchor': 'var(--st-accent-text)',
    '--mantine-color-error': 'var(--st-bad)',
    '--mantine-color-default-border': 'var(--st-line-2)',
    '--mantine-color-default-hover': 'var(--st-hover)',
    '--mantine-color-disabled': 'transparent',
    '--mantine-color-disabled-color': 'var(--st-ink-4)',
    '--mantine-color-disabled-border': 'var(--st-line)',
    '--mantine-primary-color-filled': 'var(--st-accent)',
    '--mantine-primary-color-filled-hover': 'var(--st-accent-hover)',
  }
  return { variables: {}, light: both, dark: both }
}
