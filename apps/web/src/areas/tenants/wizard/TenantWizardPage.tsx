import { Button, Switch } from '@mantine/core'
import { IconArrowLeft, IconChevronDown } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { useChange } from '../../../lib/changes/change.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { navigate } from '../../../lib/navigation/navigate.ts'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { formatCount, formatDateTime } from '../../../lib/text/format.ts'
import { type Message, msg, useT } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import form from '../../../ui/dialog/FormModal.module.css'
import { FormError } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import css from '../tenants.module.css'
import { createTenantBody } from './draft/create-tenant-body.ts'
import { draftProblems, validSteps, wizardSteps } from './draft/draft-problems.ts'
import type { WizardStep } from './draft/tenant-draft.ts'
import { StartFromTenant } from './StartFromTenant.tsx'
import { SizeStep } from './size/SizeStep.tsx'
import { AffinityStep } from './steps/AffinityStep.tsx'
import { ConfigureStep } from './steps/ConfigureStep.tsx'
import { EncryptionStep } from './steps/EncryptionStep.tsx'
import { IdpStep } from './steps/IdpStep.tsx'
import { NameStep } from './steps/NameStep.tsx'
import { PreviewStep } from './steps/PreviewStep.tsx'
import { SecurityStep } from './steps/SecurityStep.tsx'
import { TenantCredentialsModal } from './TenantCredentialsModal.tsx'
import { useTenantWizard } from './use-wizard.ts'

const STEP_LABELS: Readonly<Record<WizardStep, Message>> = {
  name: msg('Name Tenant'),
  configure: msg('Configure'),
  affinity: msg('Pod Affinity'),
  idp: msg('Identity Provider'),
  security: msg('Security'),
  encryption: msg('Encryption'),
  size: msg('Tenant Size'),
  preview: msg('Preview Configuration'),
}

/** A key that is held down must not lead through the steps, and create a tenant at the end. */
function ignoreRepeatedEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.repeat) event.preventDefault()
}

/** The second click of a double click on Next arrives at Create, which has the same place. */
function ignoreDoubleClick(event: MouseEvent) {
  if (event.detail > 1) event.preventDefault()
}

/** Moves the focus to the heading of a step that the user opens: readers announce it, and the next Tab is at its first field. */
function useStepFocus() {
  const heading = useRef<HTMLHeadingElement>(null)
  const [arrivals, setArrivals] = useState(0)
  useEffect(() => {
    if (arrivals > 0) heading.current?.focus()
  }, [arrivals])
  return { heading, arrive: () => setArrivals((before) => before + 1) }
}

/** The wizard that creates a tenant. */
export function TenantWizardPage() {
  const t = useT()
  const { draft, start, facts, keptAt, set, goTo, setAdvanced, reset, forget } = useTenantWizard()
  const [made, setMade] = useState<{ external: boolean; keys: { access_key: string; secret_key: string }[] }>()
  const { tenantName, namespace } = draft.nameTenant
  const steps = wizardSteps(draft)
  const problems = draftProblems(t, draft, facts)
  const valid = validSteps(problems, steps)
  /** Reports whether a step may be opened: all previous steps must be valid. */
  const reachable = (one: WizardStep) => steps.slice(0, steps.indexOf(one)).every((before) => valid.includes(before))
  const shown = steps.includes(draft.page) ? draft.page : 'size'
  // A restored draft may no longer be valid. Nor is the namespace once it has the new tenant, whose keys are then shown.
  const step = made || reachable(shown) ? shown : (steps.find((one) => !valid.includes(one)) ?? 'name')
  const at = steps.indexOf(step)
  const before = steps[at - 1]
  const next = steps[at + 1]

  const making = useChange('createTenant', {
    onDone: ({ console: keys, externalIDP }) => {
      forget()
      setMade({ external: externalIDP, keys })
    },
  })
  const busy = making.isPending
  const isReady = next ? valid.includes(step) : valid.length === steps.length
  const [showsSteps, setShowsSteps] = useState(false)
  const stepsId = useId()
  const { heading, arrive } = useStepFocus()
  const go = (to: WizardStep) => {
    setShowsSteps(false)
    goTo(to)
    arrive()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy || made || !isReady) return
    if (next) go(next)
    else making.run({ body: createTenantBody(draft, facts) })
  }
  const startOver = () =>
    confirm({
      title: t('Start Over'),
      body: t('All steps are set to their defaults. What you have entered is lost.'),
      action: t('Start Over'),
      danger: true,
      run: async () => reset(),
    })
  const props = { draft, set, problems: problems[step] }
  return (
    <Page
      actions={
        <>
          <Switch
            label={t('Advanced Mode')}
            checked={draft.advancedModeOn}
            onChange={(event) => setAdvanced(event.currentTarget.checked)}
          />
          <Button component={Link} to="/tenants" leftSection={<Icon of={IconArrowLeft} />}>
            {t('Back To Tenants List')}
          </Button>
        </>
      }
    >
      <form className={css.split} onSubmit={submit} onKeyDown={ignoreRepeatedEnter} noValidate>
        <nav className={css.steps} aria-label={t('Steps')}>
          <button
            type="button"
            className={css.stepOpener}
            aria-expanded={showsSteps}
            aria-controls={stepsId}
            onClick={() => setShowsSteps(!showsSteps)}
          >
            {t('Step {{number}} of {{count}}', { number: formatCount(at + 1), count: formatCount(steps.length) })}
            <Icon of={IconChevronDown} />
          </button>
          <ol id={stepsId} data-open={showsSteps || undefined}>
            {steps.map((one) => (
              <li key={one}>
                <button
                  type="button"
                  className={css.step}
                  aria-current={one === step ? 'step' : undefined}
                  disabled={!reachable(one)}
                  onClick={() => go(one)}
                >
                  <StatusIcon state={one === step ? 'run' : valid.includes(one) && reachable(one) ? 'ok' : 'off'}>
                    {t(STEP_LABELS[one])}
                  </StatusIcon>
                </button>
              </li>
            ))}
          </ol>
        </nav>
        <div className={css.pane}>
          <div className={css.scroll}>
            {keptAt !== undefined && (
              <Banner kind="info" edge>
                {t('This is your draft of {{time}}. Secrets and files are not kept: enter them again.', {
                  time: formatDateTime(keptAt / 1000),
                })}
              </Banner>
            )}
            <section className={css.body} aria-label={t(STEP_LABELS[step])}>
              <h2 ref={heading} tabIndex={-1} className={css.stepTitle}>
                {t(STEP_LABELS[step])}
              </h2>
              {step === 'name' && (
                <>
                  <NameStep
                    key={start}
                    {...props}
                    classes={facts.classes}
                    lookupError={facts.lookupError}
                    former={facts.former}
                  />
                  <StartFromTenant onStart={reset} />
                </>
              )}
              {step === 'configure' && <ConfigureStep {...props} classes={facts.classes} />}
              {step === 'affinity' && <AffinityStep {...props} />}
              {step === 'idp' && <IdpStep {...props} />}
              {step === 'security' && <SecurityStep {...props} />}
              {step === 'encryption' && <EncryptionStep {...props} />}
              {step === 'size' && <SizeStep {...props} facts={facts} />}
              {step === 'preview' && <PreviewStep draft={draft} facts={facts} />}
            </section>
          </div>
          <div className={css.foot}>
            <Button variant="subtle" onClick={startOver} disabled={busy}>
              {t('Start Over')}
            </Button>
            <div className="grow" />
            <Button onClick={() => navigate('/tenants')} disabled={busy}>
              {t('Cancel')}
            </Button>
            <Button disabled={before === undefined || busy} onClick={() => before && go(before)}>
              {t('Back')}
            </Button>
            {/* Two elements, so that what began on Next cannot end on Create. */}
            {next ? (
              <Button key="next" type="submit" variant="filled" disabled={!isReady}>
                {t('Next')}
              </Button>
            ) : (
              <Button
                key="create"
                type="submit"
                variant="filled"
                {...whileBusy(busy)}
                disabled={!isReady}
                onClick={ignoreDoubleClick}
              >
                {t('Create')}
              </Button>
            )}
          </div>
        </div>
      </form>
      {making.error && (
        <Dialog title={t('The tenant could not be created')} onClose={making.reset}>
          <div className={form.body}>
            <FormError error={making.error} />
          </div>
          <div className={form.foot}>
            <div className="grow" />
            <Button variant="filled" onClick={making.reset}>
              {t('Close')}
            </Button>
          </div>
        </Dialog>
      )}
      {made && (
        <TenantCredentialsModal
          tenant={tenantName}
          keys={made.keys}
          external={made.external}
          onClose={() =>
            navigate(pathTo('/namespaces/$namespace/tenants/$tenant/summary', { namespace, tenant: tenantName }))
          }
        />
      )}
    </Page>
  )
}
