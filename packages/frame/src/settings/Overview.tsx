import { useEffect } from 'react'
import type { Device, SettingsAct, SettingsWay } from '../generated/frame.ts'
import { canHavePasskeys } from '../passkey/possible.ts'
import { en } from '../text/en.ts'
import { dated, filled, words } from '../text/words.ts'
import { Logins } from './Logins.tsx'
import { Fault, Group, Line, Press, type Shown } from './parts.tsx'
import { Strict } from './Strict.tsx'

/** Who can open the wallet, on which devices, and what the visitor can do about it. */
export function Overview(shown: Shown) {
  const { settings, dispatch } = shown
  const t = words().settings
  const { busy, ways, devices, fault, frozen, held, email, logins } = settings
  const act = (act: SettingsAct, id: string | null = null) => dispatch({ type: 'settingsActed', act, id })
  const assisted = ways.some(({ kind }) => kind === 'recovery')
  const own = ways.filter(({ kind }) => kind !== 'recovery').length
  // The button that freezes is at the end of the page, and what it did is told at the top.
  useEffect(() => {
    if (frozen) scrollTo(0, 0)
  }, [frozen])
  const lone = email === null && logins.length === 0
  const passkeys = ways.filter(({ kind }) => kind === 'passkey').length
  const mode = held ? 'held' : frozen ? 'frozen' : lone ? 'lone' : assisted ? 'assisted' : 'sovereign'
  return (
    <>
      <h1>{t.title}</h1>
      <div className={`badge ${frozen ? 'frozen' : mode}`} data-testid="custody">
        <strong>{t[mode]}</strong>
        <span>{t[`${mode}Hint`]}</span>
      </div>
      <Fault text={fault} />
      {frozen && !held && (
        <Press kind="primary" disabled={busy} act={() => act('thaw')}>
          {t.thaw}
        </Press>
      )}
      <Group title={t.ways}>
        {ways.map((way) => {
          const recovery = way.kind === 'recovery'
          // The server keeps the only passkey of a wallet without another login.
          const needed = lone && way.kind === 'passkey' && passkeys === 1
          const removable = !needed && (recovery ? own > 0 : own > 1 || assisted)
          return (
            <Line key={way.id} title={nameOf(way)} hint={filled(t.added, dated(way.created))}>
              {removable && (
                <Press
                  kind="small"
                  label={`${t.remove}: ${nameOf(way)}`}
                  act={() => (recovery ? act('removeRecovery') : act('removeWay', way.id))}
                >
                  {t.remove}
                </Press>
              )}
            </Line>
          )
        })}
      </Group>
      {!frozen && (
        <div className="row">
          {canHavePasskeys() && <Press act={() => act('addPasskey')}>{t.addPasskey}</Press>}
          <Press act={() => act('makeKit')}>{t.makeKit}</Press>
          <Press act={() => act('setPassword')}>
            {ways.some(({ kind }) => kind === 'password') ? t.changePassword : t.addPassword}
          </Press>
          {!assisted && <Press act={() => act('restoreRecovery')}>{t.restoreRecovery}</Press>}
        </div>
      )}
      <Strict {...shown} act={act} />
      {settings.blocked && (
        <Group title={t.requests}>
          <Line title={t.blocked} hint={t.blockedHint}>
            <Press kind="small" label={`${t.allowSite}: ${t.requests}`} disabled={busy} act={() => act('allowSite')}>
              {t.allowSite}
            </Press>
          </Line>
        </Group>
      )}
      <Logins {...shown} />
      <Group title={t.devices}>
        {devices.map((device) => (
          <Line
            key={device.id}
            title={browserOf(device)}
            hint={[
              device.current && t.here,
              device.place && filled(t.place, device.place),
              filled(t.used, dated(device.used))
            ]
              .filter(Boolean)
              .join(' · ')}
          >
            {!device.current && (
              <Press
                kind="small"
                label={`${t.remove}: ${browserOf(device)}`}
                act={() => act('removeDevice', device.id)}
              >
                {t.remove}
              </Press>
            )}
          </Line>
        ))}
      </Group>
      {!frozen && (
        <div className="row">
          <Press act={() => act('export')}>{t.export}</Press>
        </div>
      )}
      <h2>{t.safety}</h2>
      <div className="row">
        <Press kind="bad" act={() => act('signOutEverywhere')}>
          {t.signOutEverywhere}
        </Press>
        {!frozen && (
          <Press kind="bad" disabled={busy} act={() => act('freeze')}>
            {t.freeze}
          </Press>
        )}
      </div>
      {!frozen && <p className="soft">{t.freezeHint}</p>}
      <Press {...(frozen && !held ? {} : { kind: 'primary' })} act={() => dispatch({ type: 'settingsClosed' })}>
        {t.done}
      </Press>
    </>
  )
}

/** Browser and system, which the server names in English. */
function browserOf({ label }: Device): string {
  const t = words().settings
  const [browser = '', system] = label.split(' on ')
  if (system !== undefined) return filled(t.browserOn, browser, system)
  return label === en.settings.browserUnknown ? t.browserUnknown : label
}

function nameOf({ kind, mark }: SettingsWay): string {
  const t = words().settings
  if (kind === 'kit') return filled(t.kit, mark ?? '').trim()
  return kind === 'device' ? '' : t[kind]
}
