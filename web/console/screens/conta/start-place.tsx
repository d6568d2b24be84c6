import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Uf } from '../../../../src/brasil/uf.ts'
import { estadoNome, ufOfCode } from '../../state/estados.ts'
import { choose, preferences } from '../../state/preferences.ts'
import { ESTADOS, lugaresFor, matching } from '../../state/territorios.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { texts } from '../../state/texts.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { usePlaceNames } from '../../ui/use-filters.ts'

/** Levels of the search, as preferences name them. */
const NIVEIS = { estado: 'uf', regiao: 'regiao_saude', municipio: 'municipio' } as const

/** Place that the painel opens with. */
export function StartPlace() {
  const t = texts().filtros
  const own = contaTexts().preferences
  const [wanted, setWanted] = useState('')
  const found = useQuery(lugaresFor(wanted.trim(), null))
  const isShort = wanted.trim().length < 2
  const lugares = [...ESTADOS, ...(isShort ? [] : (found.data ?? []))]
  const options = matching(lugares, wanted.trim())
  const unique = [...new Map(options.map((one) => [one.codigo, one])).values()]
  const levels = { estado: t.estado, regiao: t.regiao, municipio: t.municipio }
  return (
    <>
      <Combobox
        label={own.startPlace}
        value={useChosenName()}
        options={unique.slice(0, 50).map(({ nivel, codigo, nome, uf }) => ({
          key: codigo,
          label: nome,
          note: nivel === 'estado' ? levels.estado : `${levels[nivel]} · ${uf}`,
        }))}
        onInput={setWanted}
        onChoose={(codigo) => {
          const lugar = unique.find((one) => one.codigo === codigo)
          if (lugar !== undefined) choose({ territorio: `${NIVEIS[lugar.nivel]}:${lugar.codigo}` })
        }}
        onClear={() => choose({ territorio: null })}
        placeholder={t.brasil}
        none={t.territorioNone}
        isLoading={found.isFetching && !isShort}
      />
      <p class="note">{own.startNote}</p>
    </>
  )
}

/** Name of the chosen place; its code until the name is there, nothing for the country. */
function useChosenName(): string {
  const [nivel, codigo = null] = (preferences.value.territorio ?? '').split(':')
  const uf = codigo === null ? null : nivel === 'uf' ? codigo : ufOfCode(codigo)
  const of = (wanted: string) => (nivel === wanted ? codigo : null)
  const names = usePlaceNames({
    uf: uf as Uf | null,
    regiao: of('regiao_saude'),
    municipio: of('municipio'),
  })
  if (codigo === null) return ''
  return nivel === 'uf' ? estadoNome(codigo) : (names.municipio ?? names.regiao ?? codigo)
}
