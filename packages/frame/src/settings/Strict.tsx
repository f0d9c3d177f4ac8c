import type { SettingsAct } from '../generated/frame.ts'
import { words } from '../text/words.ts'
import { Group, Line, Press, type Shown } from './parts.tsx'

interface Acting extends Shown {
  act(act: SettingsAct): void
}

/** Whether this device asks for the passkey or the password before each signature. Without both there is nothing to ask for. */
export function Strict({ settings, act }: Acting) {
  const t = words().settings
  const { frozen, strict, ways } = settings
  const passkey = ways.some(({ kind }) => kind === 'passkey')
  const possible = passkey || ways.some(({ kind }) => kind === 'password')
  if (!strict && (frozen || !possible)) return null
  return (
    <Group title={t.strict}>
      <Line title={strict ? t.strictOn : t.strictOff} hint={passkey || !possible ? t.strictHint : t.strictPassword}>
        <Press
          kind="small"
          label={`${strict ? t.turnOff : t.turnOn}: ${t.strict}`}
          act={() => act(strict ? 'askLess' : 'askEach')}
        >
          {strict ? t.turnOff : t.turnOn}
        </Press>
      </Line>
    </Group>
  )
}
