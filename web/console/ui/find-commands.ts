import { dateInBrazil } from '../../../src/brasil/calendar.ts'
import { PATHS, pathTo } from '../paths.ts'
import { addressOf, emptyFilters } from '../state/filter-address.ts'
import { valorWords } from '../state/filter-words.ts'
import { api, cache, holds } from '../state/session.ts'
import { lugaresFor, matching } from '../state/territorios.ts'
import { texts } from '../state/texts.ts'
import type { Command } from './command-palette.tsx'

const MOST = 5

/** Cases by their notification number and municipalities by name, for what the palette has no command for. */
export async function findCommands(text: string, signal: AbortSignal): Promise<Command[]> {
  if (!/\d/.test(text)) return findMunicipios(text)
  return holds(['agravos.listar']) ? findCasos(text, signal) : []
}

/** Cases of this very number, then the way to all cases whose number or neighbourhood has it in it. */
async function findCasos(text: string, signal: AbortSignal): Promise<Command[]> {
  const t = texts()
  const query = { numero_notificacao: text, size: MOST }
  const { tipos } = (await api.send('GET', '/api/v1/agravos/casos', { query }, { signal })) as {
    tipos: { id: number; tipo_agravo: 'dengue'; numero_notificacao: string; data_notificacao: string }[]
  }
  const rules = { today: dateInBrazil(new Date()) }
  const all = {
    ...emptyFilters(rules),
    periodo: { kind: 'sempre' as const },
    classificacao: 'notificado' as const,
    busca: text,
  }
  return [
    ...tipos.map(({ id, tipo_agravo, numero_notificacao, data_notificacao }) => ({
      label: `${t.caso.title(valorWords(tipo_agravo, t), numero_notificacao)} · ${t.filtros.day(data_notificacao.slice(0, 10))}`,
      icon: 'casos' as const,
      group: 'cases' as const,
      path: pathTo(PATHS.caso, { id }),
    })),
    {
      label: t.palette.searchCases(text),
      icon: 'search',
      group: 'cases',
      path: addressOf(PATHS.casos, all, rules),
    },
  ]
}

/** Situation of a municipality; its cases for those who may not see the painel. */
async function findMunicipios(text: string): Promise<Command[]> {
  const lugares = await cache.fetchQuery(lugaresFor(text, null))
  const municipios = lugares.filter(({ nivel }) => nivel === 'municipio')
  const screen = holds(['dashboard.visualizar', 'agravos.estatisticas']) ? PATHS.painel : PATHS.casos
  return matching(municipios, text, MOST).map(({ nome, uf, codigo }) => ({
    label: `${nome}, ${uf}`,
    icon: 'painel',
    group: 'places',
    path: `${screen}?${new URLSearchParams({ uf, municipio: codigo })}`,
  }))
}
