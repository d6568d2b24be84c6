/** Line drawings of 24 × 24, in the colour of the text. */
const DRAWINGS = {
  painel: 'M4 19V9M10 19V5M16 19v-7M21 19H3',
  importacoes: 'M12 15V4m0 0L8 8m4-4 4 4M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4',
  duplicidades: 'M9 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM15 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10Z',
  alertas: 'M12 4 2.500 20h19zM12 10v4.500M12 17.300h.01',
  boletins: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7',
  series: 'M4 20C4 9 10 4 20 4c0 10-5 16-14 16M4 20c3-6 6-9 11-11',
  epizootias:
    'M6 11h.01M10 6.500h.01M14 6.500h.01M18 11h.01M8 17c0-2 2-4.500 4-4.500s4 2.500 4 4.500-2 2.500-4 2.500-4-.5-4-2.500Z',
  noticias: 'M4 5h13v14H5a1 1 0 0 1-1-1zM17 9h3v9a1 1 0 0 1-1 1h-2M7 9h7M7 13h7',
  webhooks: 'M8 8a4 4 0 1 1 6 3l-3 5M6 13a4 4 0 1 0 4 5h6M18 20a4 4 0 1 0-2-7',
  auditoria: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  sistema: 'M3 12h4l2.5-7 4 14 2.5-7H21',
  ajuda: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.5 9.5a2.5 2.5 0 1 1 3.6 2.3c-.7.4-1.1.9-1.1 1.7M12 17h.01',
  casos: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  add: 'M12 5v14M5 12h14',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  download: 'M12 4v11m0 0 4-4m-4 4-4-4M4 20h16',
  attach:
    'm20 11-8.500 8.500a5 5 0 0 1-7-7L13 4a3.300 3.300 0 0 1 4.700 4.700L9.500 17a1.700 1.700 0 0 1-2.400-2.400L14.500 7',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20c1-4 4-5 8-5s7 1 8 5',
  grupos: 'M9 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM2 20c1-4 3-5 7-5s6 1 7 5M16 5a4 4 0 0 1 0 7M18 15c2 1 3 2 4 5',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm9 2-4-4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  retry: 'M20 12a8 8 0 1 1-2.4-5.7M20 4v4h-4',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  exit: 'M14 4h5v16h-5M4 12h10m0 0-4-4m4 4-4 4',
  print: 'M7 9V3h10v6M7 17H4v-7h16v7h-3M7 14h10v7H7z',
  done: 'm5 13 4 4L19 7',
  close: 'M6 6l12 12M18 6 6 18',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 20h4',
} as const

export type IconName = keyof typeof DRAWINGS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={DRAWINGS[name]} />
    </svg>
  )
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 26 26" aria-hidden="true">
      <circle cx="13" cy="13" r="12" />
      <path d="M4 15c3.5-6.5 6-6.5 8.5-1.5S18 17 22 9.5" />
    </svg>
  )
}
