import { isSame } from '../../state/parts.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { registroTexts } from '../../state/texts/registro.ts'
import { texts } from '../../state/texts.ts'
import { ConflictDialog, type Side } from '../../ui/conflict.tsx'
import type { Definicao } from './definicao-data.ts'
import { compared, merged, partsOf, type Versions } from './definicao-merge.ts'
import type { Theirs } from './inicio.ts'

interface DefinicaoConflictProps {
  before: Definicao
  mine: Definicao
  theirs: Theirs
  isSending: boolean
  /** With both versions made one. */
  onSend(definicao: Definicao): void
  onClose(): void
}

/** Comparison of both versions of a definition. Loaded where there is a conflict: few meet one. */
export function DefinicaoConflict({
  before: base,
  mine: own,
  theirs,
  onSend,
  ...rest
}: DefinicaoConflictProps) {
  const versions: Versions = { before: base, mine: own, theirs: theirs.inicio.definicao }
  const { both, others } = compared(versions)
  const [before, mine, other] = [versions.before, versions.mine, versions.theirs].map(partsOf) as [
    ReturnType<typeof partsOf>,
    ReturnType<typeof partsOf>,
    ReturnType<typeof partsOf>,
  ]
  return (
    <ConflictDialog
      rows={both.map((key) => {
        const values = [before.get(key), mine.get(key), other.get(key)]
        const [was, own, their] = wordsOfAll(values) as [string, string, string]
        return {
          key,
          label: labelOf(
            key,
            values.find((value) => value !== undefined),
          ),
          before: was,
          mine: own,
          theirs: their,
        }
      })}
      others={others.map((key) => {
        const values = [before.get(key), other.get(key)]
        return {
          label: labelOf(
            key,
            values.find((value) => value !== undefined),
          ),
          value: wordsOfAll(values)[1] ?? '',
        }
      })}
      who={theirs.autor}
      when={theirs.em}
      {...rest}
      onSend={(sides: Record<string, Side>) => onSend(merged(versions, sides))}
    />
  )
}

type Plain = Record<string, unknown>
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values in words, each; of objects only the members in which they differ. */
function wordsOfAll(values: readonly unknown[]): string[] {
  const { campos, merge } = agravosTexts()
  const objects = values.filter(isPlain)
  const differing = [...new Set(objects.flatMap((one) => Object.keys(one)))].filter((name) =>
    objects.some((one) => !isSame(one[name], objects[0]?.[name])),
  )
  const titleOf = (name: string) => {
    const title = (campos as Plain)[name]
    return typeof title === 'string' ? title : name
  }
  return values.map((value) => {
    if (value === undefined) return merge.absent
    if (!isPlain(value) || objects.length === 1) return wordOf(value)
    return differing.map((name) => `${titleOf(name)}: ${wordOf(value[name])}`).join('; ')
  })
}

function wordOf(value: unknown): string {
  const t = texts().formulario
  if (typeof value === 'boolean') return value ? t.sim : t.nao
  if (Array.isArray(value))
    return value.map(wordOf).join(value.some(isPlain) ? '; ' : ', ') || registroTexts().conflict.empty
  if (isPlain(value)) return Object.values(value).map(wordOf).join(' ')
  return value === null || value === undefined || value === ''
    ? registroTexts().conflict.empty
    : String(value)
}

function labelOf(key: string, value: unknown): string {
  const { basic, codes, advanced, layouts, campos } = agravosTexts()
  if (key.startsWith('campos.'))
    return `${campos.campo}: ${isPlain(value) ? (value.rotulo ?? value.padrao ?? value.nome) : key}`
  const labels: Record<string, string> = {
    ...{ nome: basic.nome, descricao: basic.descricao, cid10_codes: basic.cid, blocos: basic.blocos },
    ...{ notificacao_obrigatoria: basic.obrigatoria, notificacao_imediata: basic.imediata },
    ...{ prazo_encerramento_dias: basic.prazo, data_de_inicio: basic.inicio, sinan: advanced.sinan },
    ...{ classificacoes: codes.classificacoes, criterios: codes.criterios, evolucoes: codes.evolucoes },
    ...{ classificacao_padrao: advanced.padrao, epidemiologia: advanced.epidemiologia },
    ...{ fonte: advanced.fonte, layouts: layouts.title },
  }
  return labels[key] ?? key
}
