import { isField } from '../../state/caso-campos.ts'
import { type CampoDoFormulario, camposIn, type FormularioDoAgravo } from '../../state/formularios.ts'
import { type Texts, texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { useMunicipioNome } from '../../ui/municipio-field.tsx'
import type { Detalhe } from './detalhe.ts'

/** Own fields of a disease as its definition words and groups them. */

/** Value of an own field in words; empty: not known. */
export function ownText({ tipo, opcoes }: CampoDoFormulario, value: unknown, t: Texts): string {
  const word = (codigo: unknown) => opcoes.find((one) => one.codigo === codigo)?.rotulo ?? String(codigo)
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(word).join(', ')
  switch (tipo) {
    case 'bool':
      return value === true ? t.valores.sim : t.valores.nao
    case 'data':
      return t.filtros.day(String(value).slice(0, 10))
    case 'inteiro':
    case 'numero':
      return typeof value === 'number' ? t.filtros.number(value) : String(value)
    case 'opcao':
      return word(value)
    default:
      return String(value)
  }
}

export const ownField = (formulario: FormularioDoAgravo | undefined, nome: string) =>
  isField(nome) ? undefined : camposIn(formulario).find((campo) => campo.nome === nome)

function valueAt(caso: Detalhe, nome: string): unknown {
  const { dados_especificos: dados } = caso as unknown as { dados_especificos?: Record<string, unknown> }
  return dados?.[nome.slice(nome.indexOf('.') + 1)] ?? null
}

interface OwnBlocksProps {
  formulario: FormularioDoAgravo
  caso: Detalhe
  identified: Detalhe | null
  /** The present case, where an earlier one is shown. */
  now: Detalhe | null
}

/** A card for each heading of the definition: what is known, then the names of what is not. */
export function OwnBlocks({ formulario, caso, identified, now }: OwnBlocksProps) {
  const t = texts()
  const shown = identified ?? caso
  const grupos = formulario.grupos.map(({ rotulo, campos }) => ({
    rotulo,
    campos: campos.filter(({ nome, ativo }) => !isField(nome) && (ativo || valueAt(shown, nome) !== null)),
  }))
  const isSealed = ({ sigiloso }: CampoDoFormulario) => sigiloso && identified === null
  return (
    <>
      {grupos
        .filter(({ campos }) => campos.length > 0)
        .map(({ rotulo, campos }) => {
          const known = campos.filter((campo) => isSealed(campo) || valueAt(shown, campo.nome) !== null)
          const unknown = campos.filter((campo) => !known.includes(campo))
          return (
            <section class="card block" key={rotulo}>
              <h2>{rotulo}</h2>
              {known.length === 0 && <p class="note">{t.caso.allUnknown}</p>}
              {known.length > 0 && (
                <dl class="pairs">
                  {known.map((campo) => (
                    <div
                      key={campo.nome}
                      class={identified !== null && campo.sigiloso ? 'secret' : undefined}
                    >
                      <dt>{campo.rotulo}</dt>
                      <dd>
                        {isSealed(campo) ? (
                          <span class="sealed">
                            <Icon name="lock" />
                            {t.caso.sealed}
                          </span>
                        ) : (
                          <OwnValue campo={campo} value={valueAt(shown, campo.nome)} />
                        )}
                        {now !== null &&
                          JSON.stringify(valueAt(caso, campo.nome)) !==
                            JSON.stringify(valueAt(now, campo.nome)) && (
                            <span class="tag amber">{t.caso.changedSince}</span>
                          )}
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
              {unknown.length > 0 && (
                <details>
                  <summary>{t.caso.unknownFields(unknown.length)}</summary>
                  <p class="note">{unknown.map((campo) => campo.rotulo).join(', ')}</p>
                </details>
              )}
            </section>
          )
        })}
    </>
  )
}

function OwnValue({ campo, value }: { campo: CampoDoFormulario; value: unknown }) {
  if (campo.tipo === 'municipio') return <Municipio codigo={String(value)} />
  return <>{ownText(campo, value, texts())}</>
}

function Municipio({ codigo }: { codigo: string }) {
  const nome = useMunicipioNome(codigo)
  return <>{nome === undefined ? codigo : `${nome} (${codigo})`}</>
}
