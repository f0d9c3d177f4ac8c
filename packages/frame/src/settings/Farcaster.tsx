import { words } from '../text/words.ts'
import { Press, type Shown } from './parts.tsx'

/** Width of the quiet zone around a code, in modules (ISO/IEC 18004). */
const QUIET = 4

/** Farcaster's app is to open an address: by a code on another device, or by a link on this one. */
export function Farcaster({ settings, dispatch }: Shown) {
  const t = words().settings
  const { code, url } = settings
  return (
    <>
      <h1>{t.farcasterScan}</h1>
      <p className="hint">{t.farcasterHint}</p>
      {code && (
        <svg
          className="qr"
          role="img"
          aria-label={t.farcasterCode}
          viewBox={`${-QUIET} ${-QUIET} ${code.size + 2 * QUIET} ${code.size + 2 * QUIET}`}
        >
          <path d={code.path} />
        </svg>
      )}
      <p role="status">{t.farcasterWaiting}</p>
      {url && (
        <a className="button primary" href={url} target="_blank" rel="noopener noreferrer" data-testid="farcaster-open">
          {t.farcasterOpen}
        </a>
      )}
      <Press act={() => dispatch({ type: 'settingsLeft' })}>{t.cancel}</Press>
    </>
  )
}
