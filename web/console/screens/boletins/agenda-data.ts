import type { Uf } from '../../../../src/brasil/uf.ts'
import type { AnswerOf, RequestOf } from '../../api/rows.ts'
import { estadoNome, ufOfCode } from '../../state/estados.ts'
import { valorWords } from '../../state/filter-words.ts'
import { cache } from '../../state/session.ts'
import { type Tagged, tagged } from '../../state/tagged.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { usePlaceNames } from '../../ui/use-filters.ts'

export type Agenda = AnswerOf<'GET', '/api/v1/agravos/agendas/{id}'>
/** With its version, to be changed. */
export type AgendaAberta = Tagged<Agenda>
export type NewAgenda = RequestOf<'POST', '/api/v1/agravos/agendas'>['body']
export type Pedido = NewAgenda['pedidos'][number]

export const AGENDAS = ['agendas']
export const openAgenda = (id: number): Promise<AgendaAberta> =>
  tagged('/api/v1/agravos/agendas/{id}', { params: { id } })
export const refreshAgendas = () => cache.invalidateQueries({ queryKey: AGENDAS })

export const DIAS = ['domingo', 'segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado'] as const

/** `Dengue, Recife (PE), público`. */
export function usePedidoWords({ tipo_agravo, estado, regiao_saude, municipio, publico }: Pedido): string {
  const t = texts()
  const own = boletinsTexts()
  const codigo = municipio ?? regiao_saude ?? null
  const uf = codigo === null ? null : ufOfCode(codigo)
  const names = usePlaceNames({ uf, regiao: regiao_saude ?? null, municipio: municipio ?? null })
  const agravo = tipo_agravo === 'todos' ? own.todos : valorWords(tipo_agravo, t)
  const nome = names.municipio ?? names.regiao ?? codigo
  const lugar = nome !== null ? `${nome} (${uf})` : estado === undefined ? own.brasil : estadoNome(estado)
  return `${agravo}, ${lugar}, ${(publico ? own.public : own.internal).toLowerCase()}`
}

/** The same as a part of a screen. */
export const PedidoWords = ({ pedido }: { pedido: Pedido }) => usePedidoWords(pedido)

/** A stored one as it is sent again: without what it does not have. */
export function toPedido({ texto, estado, ...pedido }: Agenda['pedidos'][number]): Pedido {
  const { titulo, destaques, nota } = texto
  return {
    ...pedido,
    ...(estado !== undefined && { estado: estado as Uf }),
    texto: { destaques, ...(titulo !== null && { titulo }), ...(nota !== null && { nota }) },
  }
}
