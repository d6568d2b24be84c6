import type { Municipios } from '../../../brasil/municipios.ts'
import type { Campos, NomeDeCampo } from '../../casos/campos.ts'
import type { TipoAgravo } from '../../casos/enumeracoes.ts'

export const LAYOUTS = ['proprio', 'sinan'] as const
export type NomeDeLayout = (typeof LAYOUTS)[number]

export interface Aviso {
  /** The column as the file names it, or null where the row as a whole is meant. */
  coluna: string | null
  mensagem: string
}

export type Convertida =
  | {
      ok: true
      /** A whole case as it would be created, what follows from its fields included. */
      campos: Campos
      avisos: Aviso[]
      /** The file gives no notification number: `campos.numero_notificacao` is a hash of the open values, to be made unique. */
      numeroDerivado: boolean
    }
  | { ok: false; erro: string; numero_notificacao: string | null }

/** How the columns of one file become cases. */
export interface Layout {
  nome: NomeDeLayout
  /** The fields that the file has a column for: what an update may change. */
  presentes: readonly NomeDeCampo[]
  /** About the file as a whole: columns that mean nothing here, no notification numbers, … */
  avisos: Aviso[]
  /** Tells a row that may be a case, however wrong, from what is none: it has a notification date. */
  couldBeCase(valores: string[]): boolean
  converter(valores: string[]): Convertida
}

export interface ContextoDeLayout {
  municipios: Municipios
  /** In Brazil. */
  today: string
  /** For files without a disease column. */
  tipoAgravo: TipoAgravo | null
}
