import assert from 'node:assert/strict'
import { type TestAppOptions, testApp } from '../../harness/app.ts'

export interface Grupo {
  id: number
  nome: string
  descricao: string | null
  ativo: boolean
  criado_em: string
  atualizado_em: string
  total_usuarios: number
  permissoes: { id: number; nome: string; descricao: string | null }[]
}

/** The service with an administrator, and groups and permissions by name. */
export async function gruposApp(options: TestAppOptions = {}) {
  const t = await testApp(options)
  const admin = await t.administrador()
  const { body: permissoes } = await t.as(admin).get('/permissoes')
  const { body: padroes } = await t.as(admin).get('/grupos')
  const idsOf = (items: { id: number; nome: string }[]) => new Map(items.map(({ id, nome }) => [nome, id]))
  const permissaoIds = idsOf(Object.values<Grupo['permissoes']>(permissoes.categorias).flat())
  const padraoIds = idsOf(padroes.grupos)

  let made = 0
  async function newGrupo(input: object = {}): Promise<Grupo> {
    const { status, body, text } = await t.as(admin).post('/grupos', { nome: `novo${++made}`, ...input })
    assert.equal(status, 201, text)
    const { mensagem: _mensagem, ...grupo } = body
    return grupo
  }

  return {
    t,
    admin,
    newGrupo,
    getGrupo: async (id: number): Promise<Grupo> => (await t.as(admin).get(`/grupos/${id}`)).body,
    membros: async (id: number): Promise<number[]> =>
      (await t.as(admin).get(`/grupos/${id}/usuarios?sort=id`)).body.usuarios.map(
        (u: { id: number }) => u.id,
      ),
    addMembro: async (grupoId: number, usuarioId: number) =>
      assert.equal((await t.as(admin).post(`/grupos/${grupoId}/usuarios/${usuarioId}`)).status, 200),
    /** The id of a permission, by name. */
    permissao: (nome: string) => permissaoIds.get(nome) as number,
    /** The id of a default group, by name. */
    padrao: (nome: string) => padraoIds.get(nome) as number,
  }
}

export const nomes = (items: { nome: string }[]) => items.map(({ nome }) => nome)
