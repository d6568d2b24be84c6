import type { Db, Notices } from '../../../db/db.ts'
import type { LiveValues } from '../../../system/live-list.ts'
import {
  addToGroup,
  CLASSIFICACOES,
  CLASSIFICACOES_FILTRADAS,
  CLASSIFICACOES_INICIAIS,
  CRITERIOS,
  EVOLUCOES,
  GRUPO_CONFIRMADO,
  GRUPO_GRAVE,
} from '../enumeracoes.ts'
import { CAMPOS_DA_COMPLETUDE } from '../qualidade/regras.ts'
import { CONHECIDOS } from './conhecidos.ts'
import type { CodigoDoVocabulario, Definicao, Lista } from './definicao.ts'
import { listVersoesPedidas, listVigentes, listVocabulario } from './definicoes.sql.ts'
import { sentName } from './nomes.ts'
import { obrigatoriosOf } from './obrigatorios.ts'
import { type AgravosVigentes, type DefinicaoVigente, vigentesOf } from './vigentes.ts'
import { VOCABULARIO } from './vocabulario.ts'

/** Definitions in force, in memory: read at the start, and again when the database tells of a change. */
export interface Agravos {
  vigentes(): AgravosVigentes
  /** Enumerations of the interface with the values of now. */
  live(): LiveValues
  /** Reads them again; for the process that changed them, before it answers. */
  reload(): Promise<void>
}

const CHANNEL = 'agravos'

/** An installation before its first start. */
export const CONHECIDAS = vigentesOf(
  CONHECIDOS.map((definicao) => ({ definicao, versao: 1, ativo: true })),
  VOCABULARIO,
)

export async function createAgravos(
  db: Db & Notices,
  onError: (error: unknown) => void = () => {},
): Promise<Agravos> {
  const registro = fixedAgravos(CONHECIDAS)
  const reload = oneAfterAnother(async () => registro.replace(await loadVigentes(db)))
  db.subscribe(CHANNEL, () => void reload().catch(onError))
  await reload()
  return { ...registro, reload }
}

/** Runs calls one after another, those that wait as one: an older reading never ends behind a newer one. */
function oneAfterAnother(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<void> | null = null
  return () => {
    waiting ??= running.then(() => {
      waiting = null
      const made = run()
      running = made.catch(() => {})
      return made
    })
    return waiting
  }
}

/** Definitions that do not change: those of a job, from its beginning to its end. */
export function fixedAgravos(vigentes: AgravosVigentes) {
  let now = { vigentes, live: liveOf(vigentes) }
  return {
    vigentes: () => now.vigentes,
    live: () => now.live,
    reload: async () => {},
    replace(others: AgravosVigentes) {
      now = { vigentes: others, live: liveOf(others) }
    },
  }
}

/** Versions in force, or those that a job began with. */
export async function loadVigentes(
  db: Db,
  versoes?: Readonly<Record<string, number>>,
): Promise<AgravosVigentes> {
  // One after the other: the process of a job needs no second connection for them.
  const rows = await (versoes === undefined ? listVigentes(db) : listVersoesPedidas(db, versoes))
  const vocabulario = await listVocabulario(db)
  if (rows.length === 0) return CONHECIDAS
  return vigentesOf(rows.map(remembered), vocabulario.length === 0 ? VOCABULARIO : vocabulario)
}

/** Last definition read of each disease, so that one that did not change is not compiled again. */
const known = new Map<string, { json: string; definicao: Definicao }>()

function remembered({ definicao, versao, ativo }: DefinicaoVigente): DefinicaoVigente {
  const json = JSON.stringify(definicao)
  const before = known.get(definicao.codigo)
  if (before?.json === json) return { definicao: before.definicao, versao, ativo }
  known.set(definicao.codigo, { json, definicao })
  return { definicao, versao, ativo }
}

/** Version of each disease that takes new cases, as a job keeps them. */
export const versoesAtivas = ({ todos }: AgravosVigentes): Record<string, number> =>
  Object.fromEntries(
    todos.filter(({ ativo }) => ativo).map(({ definicao, versao }) => [definicao.codigo, versao]),
  )

function liveOf({ todos, comBoletim, vocabulario, marca }: AgravosVigentes): LiveValues {
  const classesThat = (has: (one: CodigoDoVocabulario) => boolean) =>
    vocabulario.filter((one) => one.lista === 'classificacao' && has(one)).map(({ codigo }) => codigo)
  addToGroup(
    GRUPO_CONFIRMADO,
    classesThat(({ grupo }) => grupo === 'confirmado'),
  )
  addToGroup(
    GRUPO_GRAVE,
    classesThat(({ grave }) => grave),
  )
  const used: Record<Lista, Set<string>> = {
    classificacao: codesOf(todos, 'classificacoes'),
    criterio: codesOf(todos, 'criterios'),
    evolucao: codesOf(todos, 'evolucoes'),
  }
  /** Codes that some disease allows, behind those of every installation. */
  const more = (lista: Lista, base: readonly string[]) =>
    vocabulario
      .filter((one) => one.lista === lista && used[lista].has(one.codigo) && !base.includes(one.codigo))
      .map(({ codigo }) => codigo)
  const classes = more('classificacao', CLASSIFICACOES)
  const filtered = CLASSIFICACOES_FILTRADAS.slice(CLASSIFICACOES.length)
  return {
    marca,
    lists: {
      tipos: todos.map(({ definicao }) => definicao.codigo),
      agravos_do_boletim: [...comBoletim, 'todos'],
      tipos_ativos: todos.filter(({ ativo }) => ativo).map(({ definicao }) => definicao.codigo),
      classificacoes: [...CLASSIFICACOES, ...classes],
      classificacoes_filtradas: [...CLASSIFICACOES, ...classes, ...filtered],
      classificacoes_iniciais: [...CLASSIFICACOES_INICIAIS, ...classes],
      criterios: [...CRITERIOS, ...more('criterio', CRITERIOS)],
      evolucoes: [...EVOLUCOES, ...more('evolucao', EVOLUCOES)],
      campos_da_completude: [...CAMPOS_DA_COMPLETUDE, ...ownRequired(todos)],
      layouts: ['proprio', 'sinan', ...(todos.some(hasLayouts) ? ['definido'] : [])],
    },
  }
}

/** By their names as sent; two diseases may have one of the same name. */
const ownRequired = (todos: AgravosVigentes['todos']): string[] => [
  ...new Set(todos.flatMap(({ definicao }) => obrigatoriosOf(definicao).map(({ nome }) => sentName(nome)))),
]

const hasLayouts = ({ definicao }: DefinicaoVigente) => definicao.layouts.length > 0

const codesOf = (
  todos: AgravosVigentes['todos'],
  lista: 'classificacoes' | 'criterios' | 'evolucoes',
): Set<string> => new Set(todos.flatMap(({ definicao }) => definicao[lista].map(({ codigo }) => codigo)))
