import type { Branch } from '../wallet/typed-data.ts'
import { Whole } from './Whole.tsx'

/** Tree of named values, fully expanded because users do not read collapsed values. */
export function Fields({ of }: { of: Branch }) {
  if (!of.fields) return <span className="value">{of.value}</span>
  if (of.fields.length === 0) return <span className="soft">Empty</span>
  return (
    <dl className="tree">
      {of.fields.map((field, at) => (
        // Two fields may have the same name, and their order never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that tells them apart
        <div key={at} data-branch={field.fields ? true : undefined}>
          <dt title={field.type}>
            <bdi>{field.name}</bdi>
          </dt>
          <dd>
            {field.fields ? (
              <Fields of={field} />
            ) : (
              <bdi>
                <Whole text={field.value ?? ''} />
              </bdi>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
