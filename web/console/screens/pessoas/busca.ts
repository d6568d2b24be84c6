import type { AnswerOf } from '../../api/rows.ts'
import { api } from '../../state/session.ts'
import { readNascimento } from './nascimento.ts'

/** A search for a person as its form holds it. */
export interface Busca {
  nome: string
  nascimento: string
  /** IBGE code, or text that was left without a choice. */
  municipio: string | null
  motivo: string
}

export const EMPTY: Busca = { nome: '', nascimento: '', municipio: null, motivo: '' }

/** Problems found before sending, which the API would refuse: each search that is sent counts towards the hourly limit. */
export type Problema = 'required' | 'birthWrong' | 'oneOf'

const LEAST_NAME = 2
const isCode = (municipio: string | null) => municipio !== null && /^\d{7}$/.test(municipio)

export function problemsOf(busca: Busca, today: string): Partial<Record<keyof Busca, Problema>> {
  const nascimento = readNascimento(busca.nascimento, today)
  return {
    ...(busca.nome.trim().length < LEAST_NAME && { nome: 'required' as const }),
    ...(nascimento === null && { nascimento: 'birthWrong' as const }),
    ...(nascimento === undefined && !isCode(busca.municipio) && { nascimento: 'oneOf' as const }),
    ...(busca.motivo.trim() === '' && { motivo: 'required' as const }),
  }
}

/** A case as the answer tells it, as far as the screen names its members. */
interface Caso {
  id: number
  tipo_agravo: string
  numero_notificacao: string
  data_notificacao: string
  paciente: { nome: string | null }
  endereco: { municipio_residencia: string | null; estado_residencia: string | null }
}

type Achada = AnswerOf<'POST', '/api/v1/agravos/pessoas/buscar'>['pessoas'][number]
export type Pessoa = Omit<Achada, 'caso'> & { caso: Caso }

export async function buscar(busca: Busca, today: string): Promise<Pessoa[]> {
  const nascimento = readNascimento(busca.nascimento, today)
  const body = {
    nome: busca.nome.trim(),
    ...(nascimento && { nascimento }),
    ...(isCode(busca.municipio) && { municipio: Number(busca.municipio) }),
    motivo: busca.motivo.trim(),
  }
  const { pessoas } = await api.post('/api/v1/agravos/pessoas/buscar', { body })
  return pessoas as unknown as Pessoa[]
}
