import { PATHS, pathTo } from '../../paths.ts'
import type { Base } from '../../state/filter-address.ts'
import { valorWords } from '../../state/filter-words.ts'
import { type Texts, texts } from '../../state/texts.ts'
import type { Column } from '../../ui/table.tsx'
import type { ColumnName } from './address.ts'
import { type CasoListado, wordOf } from './row.ts'

/** Orders of the service by column. */
const SORTS: Partial<Record<ColumnName, string>> = {
  numero: 'numero_notificacao',
  agravo: 'tipo_agravo',
  notificacao: 'data_notificacao',
  sintomas: 'data_inicio_sintomas',
  idade: 'idade',
  municipio: 'municipio',
  uf: 'estado',
  classificacao: 'classificacao_final',
  criterio: 'criterio_confirmacao',
  evolucao: 'evolucao',
  situacao: 'status',
  criado: 'criado_em',
  atualizado: 'atualizado_em',
}
/** The week that the filter counts by. */
const SEMANAS: Record<Base, string> = {
  sintomas: 'semana_epidemiologica_sintomas',
  notificacao: 'semana_epidemiologica',
}
export const SORTABLE = [...Object.values(SORTS), ...Object.values(SEMANAS)]

const semana = (codigo: string | null) => (codigo === null ? '' : String(Number(codigo.slice(4))))
const joined = (...parts: (string | number | null)[]) =>
  parts.filter((part) => part !== null && part !== '').join(' · ')

export function columnsOf(names: readonly ColumnName[], base: Base): Column<CasoListado>[] {
  const t = texts()
  return names.map((name) => ({
    key: name,
    title: t.casos.columns[name],
    isNumber: name === 'se',
    cell: (caso) => cellOf(name, caso, base, t),
    ...sortOf(name, base),
  }))
}

function sortOf(name: ColumnName, base: Base): { sort?: string } {
  const sort = name === 'se' ? SEMANAS[base] : SORTS[name]
  return sort === undefined ? {} : { sort }
}

function cellOf(name: ColumnName, caso: CasoListado, base: Base, t: Texts) {
  const { paciente, endereco } = caso
  const day = (date: string | null) => (date === null ? '' : t.filtros.day(date.slice(0, 10)))
  switch (name) {
    case 'numero':
      return <a href={pathTo(PATHS.caso, { id: caso.id })}>{caso.numero_notificacao}</a>
    case 'agravo':
      return valorWords(caso.tipo_agravo, t)
    case 'notificacao':
      return day(caso.data_notificacao)
    case 'sintomas':
      return day(caso.data_inicio_sintomas)
    case 'se':
      return semana(base === 'sintomas' ? caso.semana_epidemiologica_sintomas : caso.semana_epidemiologica)
    case 'paciente':
      return paciente.nome ?? ''
    case 'idade':
      return [paciente.idade, paciente.sexo].filter((part) => part !== null).join(' ')
    case 'municipio':
      return joined(endereco.municipio_residencia, endereco.bairro)
    case 'uf':
      return endereco.estado_residencia ?? ''
    case 'zona':
      return wordOf(endereco.zona, t)
    case 'classificacao':
      return caso.classificacao_final === null ? (
        <span class="tag amber">{t.valores.em_investigacao}</span>
      ) : (
        wordOf(caso.classificacao_final, t)
      )
    case 'criterio':
      return wordOf(caso.criterio_confirmacao, t)
    case 'evolucao':
      return caso.evolucao?.startsWith('obito') ? (
        <span class="tag red">{wordOf(caso.evolucao, t)}</span>
      ) : (
        wordOf(caso.evolucao, t)
      )
    case 'hospitalizacao':
      return yesNo(caso.hospitalizacao, t)
    case 'situacao':
      return (
        <span class={`tag ${caso.status === 'encerrado' ? 'green' : 'amber'}`}>{wordOf(caso.status, t)}</span>
      )
    case 'unidade':
      return joined(caso.unidade_notificante.nome, caso.unidade_notificante.cnes)
    case 'pendencias':
      return (caso.pendencias ?? []).map(({ codigo }) => t.filtros.pendencias[codigo]).join(', ')
    case 'criado':
      return t.casos.moment(new Date(caso.criado_em))
    case 'atualizado':
      return t.casos.moment(new Date(caso.atualizado_em))
  }
}

export const yesNo = (value: boolean | null, t: Texts) =>
  value === null ? '' : value ? t.valores.sim : t.valores.nao
