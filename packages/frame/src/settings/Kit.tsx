import { useSyncExternalStore } from 'react'
import { filled, words } from '../text/words.ts'
import { Press, type Shown } from './parts.tsx'

/** Letters of the first line, where the code takes two: four groups with their hyphens. */
const HALF = 20

/** A new kit, once: to print or to save. */
export function Kit({ secrets, settings, dispatch }: Shown) {
  const t = words().settings
  const secret = useSyncExternalStore(secrets.subscribe, () => secrets.secret)
  if (secret?.type !== 'kit') return null
  const { code, mark } = secret
  const lines = [filled(t.kit, mark), `${location.host} ${settings.email ?? ''}`.trim(), code, t.kitUse]
  return (
    <>
      <h1>{t.kitTitle}</h1>
      <p className="hint">{t.kitHint}</p>
      <div className="kit">
        <strong>{location.host}</strong>
        <bdi>{settings.email}</bdi>
        <output className="code" data-testid="kit-code" translate="no">
          <bdi dir="ltr">
            <span>{code.slice(0, HALF)}</span>
            <wbr />
            <span>{code.slice(HALF)}</span>
          </bdi>
        </output>
        <small>{filled(t.kitMark, mark)}</small>
      </div>
      <div className="row">
        <Press act={() => window.print()}>{t.print}</Press>
        <Press act={() => save(`recovery-kit-${mark}.txt`, `${lines.join('\n\n')}\n`)}>{t.save}</Press>
      </div>
      <Press kind="primary" act={() => dispatch({ type: 'settingsLeft' })}>
        {t.kitKept}
      </Press>
    </>
  )
}

function save(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
