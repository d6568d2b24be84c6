import type { Nivel } from '../state/alertas.ts'
import { texts } from '../state/texts.ts'
import { Popover } from './popover.tsx'

/** A shape for each level beside its word: none speaks by colour alone. */
const SHAPES: Record<Nivel, string> = {
  verde: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z',
  amarelo: 'M8 2l6.500 12h-13Z',
  laranja: 'M8 1l7 7-7 7-7-7Z',
  vermelho: 'M5 1.500h6l3.500 3.500v6L11 14.500H5L1.500 11V5Z',
}

export const NivelMark = ({ nivel }: { nivel: Nivel }) => (
  <svg class={`nivel-mark ${nivel}`} viewBox="0 0 16 16" aria-hidden="true">
    <path d={SHAPES[nivel]} />
  </svg>
)

export function NivelTag({ nivel }: { nivel: Nivel }) {
  const t = texts().niveis
  return (
    <span class="nivel">
      <NivelMark nivel={nivel} />
      <b>{t.nomes[nivel]}</b>
      <span>{t.significados[nivel]}</span>
    </span>
  )
}

/** Level with the numbers behind it, as the API tells it. */
export interface NivelComNumeros {
  semana: string
  nivel: Nivel
  motivos: readonly (keyof ReturnType<typeof texts>['niveis']['motivos'])[]
  casos: number
  casos_estimados: number
  incidencia: number | null
  p_rt_maior_1: number
  limite_superior: number | null
}

interface NivelBadgeProps {
  of: NivelComNumeros
  label: string
  /** The way to the alerts of the place, where the badge is elsewhere. */
  href?: string
}

/** Level in a word and a shape; its reasons and numbers on request. */
export function NivelBadge({ of, label, href }: NivelBadgeProps) {
  const t = texts().niveis
  return (
    <Popover label={label} kind="nivel-badge" panel={() => <Reasons of={of} href={href} />}>
      <NivelTag nivel={of.nivel} />
      <span class="unseen">{t.why}</span>
    </Popover>
  )
}

function Reasons({ of, href }: { of: NivelComNumeros; href: string | undefined }) {
  const t = texts().niveis
  const { semana, motivos, casos, casos_estimados, incidencia, p_rt_maior_1, limite_superior } = of
  const numbers: [string, string][] = [
    [t.known, t.number(casos)],
    [t.expected, t.number(casos_estimados)],
    ...(incidencia === null ? [] : [[t.incidence, t.number(incidencia)] as [string, string]]),
    [t.limit, limite_superior === null ? t.noLimit : t.number(limite_superior)],
    [t.growth, t.percent(p_rt_maior_1)],
  ]
  return (
    <div class="panel nivel-reasons">
      <p>
        <NivelTag nivel={of.nivel} /> {t.at(semana)}
      </p>
      {motivos.length === 0 ? (
        <p>{t.noReason}</p>
      ) : (
        <ul>
          {motivos.map((motivo) => (
            <li key={motivo}>{t.motivos[motivo]}</li>
          ))}
        </ul>
      )}
      <dl>
        {numbers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="note">{t.scope}</p>
      {href !== undefined && <a href={href}>{t.open}</a>}
    </div>
  )
}
