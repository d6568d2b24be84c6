import type { Db } from '../../db/db.ts'
import { type EpizootiaScope, emit, type NewEvento } from '../eventos/eventos.ts'
import type { CamposDaEpizootia } from './campos.ts'

/** Events of the service about events in animals. */

type Tipo = Extract<NewEvento['tipo'], `epizootia.${string}`>
type Assunto = Pick<
  CamposDaEpizootia,
  'suspeita' | 'especie_grupo' | 'classificacao' | 'municipio' | 'estado'
>

interface Anuncio {
  id: number
  versao: number
  campos: Assunto
  /** As it was: those whom it left learn of that. */
  before?: Assunto
  em: Date
}

export function announceEpizootia(tx: Db, tipos: readonly Tipo[], anuncio: Anuncio): Promise<void> {
  const { id, versao, campos, before = undefined, em } = anuncio
  const { suspeita, especie_grupo, classificacao, municipio, estado } = campos
  return emit(
    tx,
    tipos.map((tipo) => ({
      tipo,
      chave: `epizootia:${id}` as const,
      dados: { id, suspeita, especie_grupo, classificacao, municipio: String(municipio), estado, versao },
      epizootias: [campos, ...(before ? [before] : [])].map(scopeOf),
      em,
    })),
  )
}

const scopeOf = ({ suspeita, estado, municipio }: Assunto): EpizootiaScope => ({
  suspeita,
  estado,
  municipio,
})
