import { type Signal, useSignal } from '@preact/signals'
import { useQuery } from '@tanstack/preact-query'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { UFS } from '../../../../src/brasil/uf.ts'
import type { Painel } from '../../api/early.ts'
import type { Measure } from '../../map/classes.ts'
import { type Places, usePlaces } from '../../map/files.ts'
import { alertasPath } from '../../state/alertas.ts'
import { numbersQuery, otherDivisao } from '../../state/divisao.ts'
import { ufOfCode } from '../../state/estados.ts'
import { PAINEL_RULES } from '../../state/filter-address.ts'
import { mapaOf } from '../../state/filter-query.ts'
import { painelOf } from '../../state/painel.ts'
import { cache } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { useInTurn } from '../../ui/in-turn.ts'
import { Kept } from '../../ui/kept.tsx'
import { NivelBadge } from '../../ui/nivel.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { SavedViews } from '../../ui/saved-views.tsx'
import { Answer } from '../../ui/states.tsx'
import { type FilterState, useFilters } from '../../ui/use-filters.ts'
import { BairrosCard } from './bairros-card.tsx'
import { CurveCard } from './curve-card.tsx'
import { isDividedFurther } from './figures.ts'
import { KeyFigures } from './key-figures.tsx'
import { MapCard } from './map-card.tsx'
import { useNamesAtHand } from './names.ts'
import { type Partes, usePartes } from './partes.ts'
import { PlacesCard } from './places-card.tsx'
import { WorkCard } from './work-card.tsx'

/** Numbers change under an open screen: asked for again after this long. */
const REFRESH_MS = 300_000

/** Given to every part of the screen: numbers, and the filter that they are of. */
export interface PartProps {
  painel: Painel
  state: Pick<FilterState, 'filters' | 'rules' | 'change'>
}

/** Situation of one recorte in one look, and the way from each number to its cases. */
export default function PainelScreen() {
  const state = useFilters(PAINEL_RULES, useNamesAtHand)
  const { filters, rules, words } = state
  const t = texts()
  const search = useLocation().url.split('?')[1] ?? ''
  const asked = painelOf(numbersQuery(filters, rules.today, search))
  const query = useQuery({ ...asked, refetchInterval: REFRESH_MS })
  // A query asks after the frame in which its old numbers are dimmed; new ones need not wait for that.
  useLayoutEffect(() => void cache.prefetchQuery(asked), [filters, rules.today])
  // Old numbers stay with their own filter while others are on their way: each still leads to exactly its cases, and nothing is drawn anew.
  const shown = useRef<PartProps | null>(null)
  const { data, isPlaceholderData } = query
  const isNew = data !== shown.current?.painel || filters !== shown.current?.state.filters
  if (data !== undefined && !isPlaceholderData && isNew) shown.current = { painel: data, state }
  // Begins before the numbers are there; they only colour it.
  usePlaces([mapaOf(filters)])
  return (
    <Page title={words.title} lead={t.painel.lead(words.parts)} actions={<Actions />}>
      <FilterBar state={{ ...state, leftOut: [...state.leftOut, ...otherDivisao(search)] }} />
      <Answer query={query} lines={12}>
        {() => <Kept on={[shown.current]}>{() => shown.current && <Situation now={shown.current} />}</Kept>}
      </Answer>
    </Page>
  )
}

function Actions() {
  const t = texts()
  const [isCopied, setCopied] = useState(false)
  return (
    <>
      <Button
        icon={isCopied ? 'done' : 'copy'}
        onClick={async () => {
          await navigator.clipboard.writeText(location.href)
          setCopied(true)
        }}
      >
        <span aria-live="polite">{isCopied ? t.states.copied : t.painel.copyLink}</span>
      </Button>
      <SavedViews tela="painel" />
      <Button icon="print" onClick={() => print()}>
        {t.painel.print}
      </Button>
    </>
  )
}

/** Maps that show the places of an answer: the states, or the municipalities of one state or more. */
function mapsOf(painel: Painel): string[] {
  const { lugar, lugares } = painel
  if (lugares.nivel === 'estado') return ['br']
  if (isDividedFurther(painel)) return UFS.map((uf) => uf.toLowerCase())
  const codes = lugar.nivel === 'varios' ? lugares.codigo : [lugar.codigo]
  const ufs = codes.flatMap((code) => (code === null ? [] : [code.length === 2 ? code : ufOfCode(code)]))
  return [...new Set(ufs.flatMap((uf) => (uf === null ? [] : [uf.toLowerCase()])))]
}

const NONE = { bairros: undefined, niveis: undefined }

const loadPeople = () => import('./people.tsx')
const loadNothing = () => import('./nothing.tsx')

/** Parts below the key figures. */
const PARTS = 5

/** Key figures at once, then the parts in turn; a part that has its numbers already is not drawn again. */
function Situation({ now }: { now: PartProps }) {
  const chosen = useSignal<string | null>(null)
  const measure = useSignal<Measure | null>(null)
  const map = usePlaces(mapsOf(now.painel))
  const [curve, shapes, table, work, people] = useInTurn(now, PARTS)
  const partes = usePartes(work ?? null, measure.value === 'nivel')
  const { query } = partes
  const { places, error } = map
  const isFailed = Boolean(error)
  // The map has its numbers two frames before the parts are asked for.
  const { bairros, niveis } = shapes === work ? partes : NONE
  return (
    <>
      <Freshness {...now} />
      <KeyFigures {...now} />
      {now.painel.numeros.casos === 0 && <OnDemand load={loadNothing} props={now} />}
      {now.painel.dados_ate !== null && (
        <div class="painel-grid">
          <Kept on={[curve]}>{() => curve && <CurveCard {...curve} />}</Kept>
          <Kept on={[shapes, places, error, bairros, niveis, query.isError, measure.value]}>
            {() =>
              shapes && (
                <MapPart {...{ of: shapes, map, chosen, measure }} partes={{ query, bairros, niveis }} />
              )
            }
          </Kept>
          <Kept on={[table, places, isFailed]}>
            {() =>
              table &&
              table.painel.lugares.nivel !== null && (
                <PlacesCard {...{ ...table, places, isFailed, chosen }} />
              )
            }
          </Kept>
          <Kept on={[work, places, query.data, query.isError, query.isFetching]}>
            {() => work && <WorkCard {...work} places={places} query={query} />}
          </Kept>
          <Kept on={[people]}>{() => people && <OnDemand load={loadPeople} props={people} />}</Kept>
        </div>
      )}
    </>
  )
}

interface MapPartProps {
  of: PartProps
  map: Places
  chosen: Signal<string | null>
  measure: Signal<Measure | null>
  partes: Partes
}

/** Below the municipality there are points instead of outlines. */
const MapPart = ({ of, map, chosen, measure, partes }: MapPartProps) =>
  of.painel.lugar.nivel === 'municipio' ? (
    <BairrosCard {...of} {...{ map, partes }} />
  ) : (
    <MapCard {...of} {...{ map, chosen, measure, partes }} />
  )

/** Since when the numbers are what they are, and the level of alert of the place. */
function Freshness({ painel, state: { filters } }: PartProps) {
  const { dados_ate, ultima_importacao, populacao, populacao_ano, alerta, lugar, semanas } = painel
  const last = semanas.findLast(({ casos }) => casos > 0)
  const t = texts()
  const parts = [
    dados_ate === null ? t.painel.neverChanged : t.painel.changedAt(new Date(dados_ate)),
    last !== undefined && t.painel.lastWeek(last.semana),
    ultima_importacao !== null && t.painel.importedAt(new Date(ultima_importacao)),
    populacao !== null && populacao_ano !== null && t.painel.residents(populacao, populacao_ano),
  ].filter((part) => part !== false)
  const { agravo, uf, regiao, municipio } = filters
  return (
    <div class="freshness">
      {alerta !== null && (
        <p class="now">
          <NivelBadge
            of={alerta}
            label={`${t.niveis.alerta}, ${lugar.nome}`}
            href={alertasPath({ agravo, uf, regiao, municipio })}
          />{' '}
          {t.niveis.at(alerta.semana)}
        </p>
      )}
      <p>{parts.join(' ')}</p>
    </div>
  )
}
