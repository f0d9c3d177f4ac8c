import type { SettingsAct, SettingsWay } from '../generated/frame.ts'
import { filled, words } from '../text/words.ts'
import { Watched } from '../views/Watched.tsx'
import { Fault, Press, type Shown } from './parts.tsx'

/** Acts that take something away from the visitor. */
const grave: ReadonlySet<SettingsAct> = new Set([
  'removeWay',
  'removeRecovery',
  'removeDevice',
  'removeLogin',
  'signOutEverywhere'
])

/** Texts of a removal, by what is removed. */
const removals = {
  passkey: 'removePasskey',
  kit: 'removeKit',
  password: 'removePassword',
  device: 'removeDevice',
  recovery: 'removeRecovery'
} as const satisfies Record<SettingsWay['kind'], string>

/** What the visitor chose, before it happens, and the ways to confirm it. */
export function Explain({ settings, host, dispatch }: Shown) {
  const t = words().settings
  const { act, confirmed, email, fault, ways } = settings
  if (act === null || act === 'freeze' || act === 'allowSite') return null
  // The login of the host's site lets the host itself in.
  const lets = act === 'addLogin' && settings.chosen === 'jwt'
  const has = (wanted: string) => ways.some(({ kind }) => kind === wanted)
  const changes = act === 'setPassword' && has('password')
  const removed = ways.find(({ id }) => id === settings.chosen)?.kind
  const told = act === 'removeWay' ? removals[removed ?? 'password'] : act
  const { title, hint, action } = t.acts[lets ? 'addSite' : changes ? 'changePassword' : told]
  const site = host.replace(/^https:\/\//, '')
  const busy = settings.busy || !settings.armed
  // The proof of strict mode is asked for by the click itself.
  const free = act === 'signOutEverywhere' || act === 'askEach' || act === 'askLess'
  const passkey = has('passkey')
  const sure = free || (confirmed && act !== 'export') || (email === null && !passkey)
  // Where there is a passkey, the vault takes no mail for an export.
  const mail = email !== null && !(passkey && act === 'export')
  const kind = grave.has(act) ? 'grave' : 'primary'
  const go = (passkey: boolean) => dispatch({ type: 'settingsContinued', passkey })
  const buttons = (
    <>
      {sure && (
        <Press kind={kind} disabled={busy} act={() => go(false)}>
          {action}
        </Press>
      )}
      {!sure && passkey && (
        <Press kind={kind} disabled={busy} act={() => go(true)}>
          {t.byPasskey}
        </Press>
      )}
      {!sure && mail && (
        <Press {...(passkey ? {} : { kind })} disabled={busy} act={() => go(false)}>
          {t.byMail}
        </Press>
      )}
      <Press act={() => dispatch({ type: 'settingsLeft' })}>{t.cancel}</Press>
    </>
  )
  return (
    <>
      <h1>{lets ? filled(title, site) : title}</h1>
      <p className="hint">{lets ? filled(hint, site) : hint}</p>
      <Fault text={fault} />
      <p role="status">{settings.busy ? t.working : ''}</p>
      {lets ? (
        <Watched approval={0} revision={0} dispatch={dispatch}>
          {buttons}
        </Watched>
      ) : (
        buttons
      )}
    </>
  )
}

/** The visitor confirms on the page of the mail's link. */
export function Confirm({ settings, dispatch }: Shown) {
  const t = words().settings
  return (
    <>
      <h1>{t.confirmTitle}</h1>
      <p className="hint">{filled(t.confirmHint, settings.email ?? '')}</p>
      <p className="number" data-testid="confirm-number">
        <bdi dir="ltr">{settings.number}</bdi>
      </p>
      <p role="status">{t.confirmWaiting}</p>
      <Press act={() => dispatch({ type: 'settingsLeft' })}>{t.cancel}</Press>
    </>
  )
}
