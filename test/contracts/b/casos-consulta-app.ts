import assert from 'node:assert/strict'
import { testApp } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'

export const CASO = {
  tipo_agravo: 'dengue',
  data_notificacao: '2024-01-10',
  paciente_nome: 'Maria da Silva Santos',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
}

const PERMISSOES = [
  'agravos.listar',
  'agravos.criar',
  'agravos.editar',
  'agravos.deletar',
  'agravos.estatisticas',
  'agravos.exportar',
]

/** The service with someone who works with cases and may not identify patients, and someone who may. */
export async function consultaApp() {
  const t = await testApp()
  const vigilante = await t.person({ permissoes: PERMISSOES })
  const identificador = await t.person({ permissoes: [...PERMISSOES, 'agravos.identificar'] })

  /** Someone who may identify, bound to places like `uf:PE`. */
  async function bound(lugares: string[]) {
    const person = await t.person({ permissoes: [...PERMISSOES, 'agravos.identificar'] })
    return bind(t, person, ...lugares)
  }

  let made = 0
  async function newCaso(input: object = {}): Promise<number> {
    const body = { ...CASO, numero_notificacao: `n${++made}`, ...input }
    const { status, body: answer, text } = await t.as(vigilante).post('/agravos/casos', body)
    assert.equal(status, 201, text)
    return answer.id
  }

  async function exclude(id: number): Promise<void> {
    const { status, text } = await t.as(vigilante).delete(`/agravos/casos/${id}?motivo=duplicado`)
    assert.equal(status, 204, text)
  }

  /** The body of a 200, for these parameters. */
  async function read(path: string, query: Record<string, string> = {}, person = vigilante) {
    const { status, body, text } = await t.as(person).get(`${path}?${new URLSearchParams(query)}`)
    assert.equal(status, 200, text)
    return body
  }

  return { t, vigilante, identificador, newCaso, exclude, read, bound }
}
