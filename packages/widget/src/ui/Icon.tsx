/** Our own icons: one stroked path each on a grid of 20. */
const paths = {
  back: 'M12 4.5 6.5 10l5.5 5.5',
  close: 'm5 5 10 10M15 5 5 15',
  help: 'M7.6 7.6A2.5 2.5 0 1 1 11 10c-.7.3-1 .8-1 1.6m0 2.6v.1M17.5 10a7.5 7.5 0 1 1-15 0 7.5 7.5 0 0 1 15 0Z',
  down: 'M5.5 8 10 12.5 14.5 8',
  arrowDown: 'M10 4v12m-4.5-4.5L10 16l4.5-4.5',
  plus: 'M10 4.5v11M4.5 10h11',
  swap: 'M4 7h11m-3-3 3 3-3 3M16 13H5m3-3-3 3 3 3',
  check: 'm4.5 10.5 3.7 3.7 7.3-8.4',
  retry: 'M16 7.5A6.5 6.5 0 1 0 16.5 11M16.3 3.7v3.9h-3.9',
  warning: 'M10 6.5v4m0 3v.1M10 2.8l7.6 13.4H2.4L10 2.8Z',
  wallet:
    'M3 6.5v7.7c0 1 .8 1.8 1.8 1.8h10.4c1 0 1.8-.8 1.8-1.8V9c0-1-.8-1.8-1.8-1.8H4.7A1.7 1.7 0 0 1 4.7 4h9.8M13.5 11.6h.1',
  copy: 'M7.5 7.5V5c0-.8.7-1.5 1.5-1.5h6c.8 0 1.5.7 1.5 1.5v6c0 .8-.7 1.5-1.5 1.5h-2.5M5 7.5h6c.8 0 1.5.7 1.5 1.5v6c0 .8-.7 1.5-1.5 1.5H5c-.8 0-1.5-.7-1.5-1.5V9c0-.8.7-1.5 1.5-1.5Z',
  power: 'M10 3v6.5M6 5.3a6.5 6.5 0 1 0 8 0',
  external: 'M8 5H5.5C4.7 5 4 5.7 4 6.5v8c0 .8.7 1.5 1.5 1.5h8c.8 0 1.5-.7 1.5-1.5V12M11.5 4H16v4.5M15.5 4.5 9.5 10.5',
  send: 'M16.8 3.2 9 11M16.8 3.2 11.8 16.8 9 11 3.2 8.2 16.8 3.2Z',
  search: 'm13.5 13.5 3.5 3.5M15 9A6 6 0 1 1 3 9a6 6 0 0 1 12 0Z',
  image:
    'M3.5 13.5 7 10l3.5 3.5L13 11l3.5 3.5M5 3.5h10c.8 0 1.5.7 1.5 1.5v10c0 .8-.7 1.5-1.5 1.5H5c-.8 0-1.5-.7-1.5-1.5V5c0-.8.7-1.5 1.5-1.5ZM12.8 7.2h.1',
  clock: 'M10 6v4.3l2.8 1.7M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z',
  coins: 'M12.5 7.5a5 5 0 1 1-10 0 5 5 0 0 1 10 0ZM13.6 7.6a5 5 0 1 1-6 6',
  globe:
    'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM3.2 10h13.6M10 3.2c2 2 2.8 4.3 2.8 6.8s-.8 4.8-2.8 6.8c-2-2-2.8-4.3-2.8-6.8S8 5.2 10 3.2Z',
  key: 'M12 11.5a4 4 0 1 0-3.5-3.5L3.5 13v3.5H7v-2h2v-2l1-1a4 4 0 0 0 2 0ZM13.5 6.5h.1',
  shield: 'm7.3 9.8 2 2 3.5-3.8M10 2.8l6 2.2v4.5c0 3.5-2.4 6.3-6 7.7-3.6-1.4-6-4.2-6-7.7V5l6-2.2Z',
  hidden:
    'M3.5 3.5l13 13M8.3 5.2A8 8 0 0 1 10 5c4.2 0 6.6 3.2 7.3 5a9 9 0 0 1-2 2.8M5.2 6.7A9 9 0 0 0 2.7 10c.7 1.8 3.1 5 7.3 5 1.2 0 2.2-.3 3.1-.7M8.4 8.4a2.2 2.2 0 0 0 3.1 3.1',
  qr: 'M3.5 3.5h4v4h-4zm9 0h4v4h-4zm-9 9h4v4h-4zm9 0h1m3 0v4h-4v-1',
  phone: 'M7 2.5h6c.8 0 1.5.7 1.5 1.5v12c0 .8-.7 1.5-1.5 1.5H7c-.8 0-1.5-.7-1.5-1.5V4c0-.8.7-1.5 1.5-1.5Zm2 12.5h2',
  screen:
    'M4 3.5h12c.8 0 1.5.7 1.5 1.5v7c0 .8-.7 1.5-1.5 1.5H4c-.8 0-1.5-.7-1.5-1.5V5c0-.8.7-1.5 1.5-1.5Zm3 13h6m-3-3v3',
  layers: 'm3 12.8 7 3.7 7-3.7M10 3.5 3 7.2l7 3.7 7-3.7-7-3.7Z'
} as const

export type IconName = keyof typeof paths

/** Icons that point in reading direction and are mirrored in right-to-left languages. */
const turning: ReadonlySet<IconName> = new Set(['back', 'external', 'send'])

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={turning.has(name) ? 'icon turns' : 'icon'} viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
