import { useId, useMemo, useState } from 'preact/hooks'
import type { Place } from '../../../../src/charts/outlines.ts'
import { holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Answer } from '../../ui/states.tsx'
import { CasesLink } from './cases-link.tsx'
import { casosPath, qualidadePath } from './links.ts'
import type { PartProps } from './painel.tsx'
import type { Partes } from './partes.ts'
import { silentOf } from './silent.ts'

/** Most urgent first; what is open and in time is no work yet. */
const OF_DEATHS = ['obito_sem_investigacao', 'obito_a_investigar']
const OF_FIELDS = ['sem_inicio_sintomas', 'sem_hospitalizacao', 'sem_classificacao']
const URGENT = [...OF_DEATHS, 'atrasado', ...OF_FIELDS, 'possivel_duplicado']
const NOT_YET = 'a_encerrar'
const SHOWN = 7

const loadList = () => import('./silent-list.tsx')

const rankOf = (codigo: string) => {
  const rank = URGENT.indexOf(codigo)
  return rank === -1 ? URGENT.length : rank
}

interface WorkCardProps extends PartProps {
  places: readonly Place[] | undefined
  query: Partes['query']
}

/** Pending work, counted in the same recorte; each entry leads to its cases, or opens its municipalities. */
export function WorkCard({ painel, state, places, query }: WorkCardProps) {
  const { filters, rules } = state
  const id = useId()
  const [isWhole, setWhole] = useState(false)
  const t = texts()
  if (!holds(['agravos.listar'])) return null
  return (
    <section class="card work-card" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{t.painel.work}</h2>
          <p>{t.painel.workNote}</p>
        </div>
      </header>
      <Answer query={query} lines={5}>
        {({ pendencias = {} }) => {
          const found = Object.entries(pendencias)
            .map(([codigo, total]) => ({ codigo: codigo as Codigo, total }))
            .filter(({ codigo }) => codigo !== NOT_YET)
            .toSorted((one, other) => rankOf(one.codigo) - rankOf(other.codigo) || other.total - one.total)
          return (
            <ul class="work">
              {found.length === 0 && <li class="done">{t.painel.nothingToDo}</li>}
              {found.slice(0, isWhole ? found.length : SHOWN).map(({ codigo, total }) => (
                <li key={codigo} class={OF_DEATHS.includes(codigo) ? 'harm' : undefined}>
                  <CasesLink href={casosPath({ ...filters, pendencia: codigo }, rules)}>
                    <b>{t.painel.number(total)}</b>
                    <span>{t.filtros.pendencias[codigo]}</span>
                  </CasesLink>
                </li>
              ))}
              {found.length > SHOWN && !isWhole && (
                <li class="unprinted">
                  <button type="button" onClick={() => setWhole(true)}>
                    <span>{t.painel.allWork(found.length - SHOWN)}</span>
                  </button>
                </li>
              )}
              <SilentPlaces {...{ painel, state, places }} />
              <li class="unprinted">
                <a href={qualidadePath(filters, rules)}>
                  <span>{t.screens.qualidade}</span>
                </a>
              </li>
            </ul>
          )
        }}
      </Answer>
    </section>
  )
}

/** Municipalities that sent nothing of late, from the numbers that the screen has already. */
function SilentPlaces({ painel, state, places }: PartProps & { places: readonly Place[] | undefined }) {
  const { filters, rules } = state
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const t = texts().painel
  const silent = useMemo(() => {
    // The map has all of a state; which of them a region or an own territory has, the answer does not say.
    const all = painel.lugar.nivel === 'estado' ? (places ?? []) : []
    return silentOf(
      painel,
      filters,
      rules.today,
      all.map((place) => place.id),
    )
  }, [painel, filters, places])
  if (silent === null || silent.places.length === 0) return null
  return (
    <li>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <b>{t.number(silent.places.length)}</b>
        <span>{t.silent(silent.from, silent.to)}</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <OnDemand load={loadList} props={{ silent, places, state }} />}
      </div>
    </li>
  )
}

type Codigo = keyof ReturnType<typeof texts>['filtros']['pendencias']
