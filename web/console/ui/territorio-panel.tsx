import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Uf } from '../../../src/brasil/uf.ts'
import { estadoNome } from '../state/estados.ts'
import type { Filters } from '../state/filter-address.ts'
import { plain } from '../state/plain.ts'
import { ESTADOS, type Lugar, lugaresFor, lugaresOfUf, matching } from '../state/territorios.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Combobox } from './combobox.tsx'
import type { CountsByFilter } from './filter-bar.tsx'

const NOWHERE = { uf: null, regiao: null, municipio: null, bairro: null, lugar: null }

/** Key of the option without a place. */
const BRASIL = 'BR'

interface TerritorioPanelProps {
  filters: Pick<Filters, 'uf' | 'regiao' | 'municipio'>
  /** Name of the chosen place; empty: the country. */
  lugar: string
  /** Cases of states and, as far as they are counted, of municipalities. */
  counts?: CountsByFilter
  set(next: Partial<Filters>): void
  close(): void
}

/** A place by its name or code: state, health region or municipality. Within a state its own places come first. */
export function TerritorioPanel({ filters, lugar, counts, set, close }: TerritorioPanelProps) {
  const [wanted, setWanted] = useState('')
  const t = texts().filtros
  const uf = filters.uf as Uf | null
  const text = wanted.trim()
  const own = useQuery(lugaresOfUf(uf))
  const named = useQuery(lugaresFor(text, null))
  const found = text.length < 2 ? [] : (named.data ?? [])
  const inside = (own.data ?? []).filter(({ nivel }) => nivel !== 'estado')
  const lugares = unique([...matching(inside, text), ...matching(ESTADOS, text), ...matching(found, text)])
  const choose = (chosen: Lugar | undefined) => {
    if (chosen === undefined) return
    const { nivel, codigo } = chosen
    const at = nivel === 'estado' ? { uf: codigo } : { uf: chosen.uf, [nivel]: codigo }
    set({ ...NOWHERE, ...at })
    close()
  }
  const isBrasil = plain(t.brasil).startsWith(plain(text))
  const nowhere = () => {
    set(NOWHERE)
    close()
  }
  const levels = { estado: t.estado, regiao: t.regiao, municipio: t.municipio }
  const countOf = ({ nivel, codigo }: Lugar) => {
    const count = (nivel === 'estado' ? counts?.uf : counts?.municipio)?.get(codigo)
    return count === undefined ? '' : ` · ${texts().casos.cases(count)}`
  }
  return (
    <div class="panel">
      <Combobox
        label={t.names.territorio}
        value={lugar}
        options={[
          ...(isBrasil ? [{ key: BRASIL, label: t.brasil, note: '' }] : []),
          ...lugares.map((one) => ({
            key: one.codigo,
            label: one.nome,
            note: `${levels[one.nivel]}${one.nivel === 'estado' ? '' : ` · ${one.uf}`}${countOf(one)}`,
          })),
        ]}
        onInput={setWanted}
        onChoose={(codigo) =>
          codigo === BRASIL ? nowhere() : choose(lugares.find((one) => one.codigo === codigo))
        }
        onClear={() => set(NOWHERE)}
        placeholder={t.territorioPlaceholder}
        none={t.territorioNone}
        isLoading={named.isFetching && text.length >= 2}
      />
      <div class="row">
        {(filters.municipio !== null || filters.regiao !== null) && uf !== null && (
          <Button
            onClick={() => {
              set({ ...NOWHERE, uf })
              close()
            }}
          >
            {estadoNome(uf)}
          </Button>
        )}
        {uf !== null && <Button onClick={nowhere}>{t.brasil}</Button>}
      </div>
    </div>
  )
}

const unique = (lugares: Lugar[]) =>
  [...new Map(lugares.map((one) => [one.codigo, one])).values()].slice(0, 50)
