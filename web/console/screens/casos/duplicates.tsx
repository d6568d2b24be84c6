import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { casoParesTexts } from '../../state/texts/caso-pares.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'

type Par = AnswerOf<'GET', '/api/v1/agravos/casos/{id}/duplicidades'>['duplicidades'][number]
type Fusao = AnswerOf<'GET', '/api/v1/agravos/fusoes'>['items'][number]

/** Merges into one case that are told. */
const MOST = 50

/** Merges that stand, newest first. */
async function askFusoes(of: { principal_id: number } | { absorvido_id: number }, signal: AbortSignal) {
  const query = { ...of, desfeita: false, size: MOST }
  return (await api.get('/api/v1/agravos/fusoes', { query }, { signal })).items
}

async function askDuplicates(id: number, signal: AbortSignal): Promise<{ pares: Par[]; fusoes: Fusao[] }> {
  const [{ duplicidades: pares }, fusoes] = await Promise.all([
    api.get('/api/v1/agravos/casos/{id}/duplicidades', { params: { id } }, { signal }),
    askFusoes({ principal_id: id }, signal),
  ])
  return { pares, fusoes }
}

/** Asked for beside the case itself, so that the card stands as soon as it does. */
export const useDuplicates = (id: number | null) =>
  useQuery({
    queryKey: ['caso', id, 'duplicidades'],
    queryFn: ({ signal }) => askDuplicates(id as number, signal),
    enabled: id !== null && holds(['agravos.duplicidades']),
    placeholderData: () => undefined,
  })

/** Ways from a case to its undecided pairs and to those that were merged into it; nothing where it has neither. */
export function Duplicates({ id }: { id: number }) {
  const t = casoParesTexts()
  const { data, error } = useDuplicates(id)
  if (data === undefined && error === null) return null
  const open = data?.pares.filter(({ situacao }) => situacao === 'pendente') ?? []
  const fusoes = data?.fusoes ?? []
  if (data !== undefined && open.length === 0 && fusoes.length === 0) return null
  return (
    <section class="card unprinted">
      <h2>{t.title}</h2>
      {data === undefined && <Notice kind="error" text={errorText(error)} />}
      {open.length > 0 && <OpenPairs id={id} pares={open} />}
      {fusoes.length > 0 && <Merged fusoes={fusoes} pares={data?.pares ?? []} />}
    </section>
  )
}

function OpenPairs({ id, pares }: { id: number; pares: Par[] }) {
  const t = casoParesTexts()
  return (
    <>
      <p>{t.open}</p>
      <ul class="history">
        {pares.map((par) => (
          <li key={par.id}>
            <a href={pathTo(PATHS.duplicidade, { id: par.id })}>{t.compare(otherOf(par, id))}</a>{' '}
            <small>{t.bands[par.faixa]}</small>
          </li>
        ))}
      </ul>
    </>
  )
}

const otherOf = ({ casos }: Par, id: number): string =>
  (casos.find(({ caso }) => caso.id !== id)?.caso.numero_notificacao ?? '') as string

/** A merge leads to its pair, or where it was chosen without one: there it can be undone. */
function Merged({ fusoes, pares }: { fusoes: Fusao[]; pares: Par[] }) {
  const t = casoParesTexts()
  const parOf = new Map(pares.map((par) => [par.fusao_id, par.id]))
  return (
    <>
      <p>{t.merged}</p>
      <ul class="history">
        {fusoes.map(({ id, principal, absorvido, feita_em }) => {
          const par = parOf.get(id)
          const href =
            par === undefined
              ? `${pathTo(PATHS.casoFundir, { id: principal.id })}?com=${absorvido.id}`
              : pathTo(PATHS.duplicidade, { id: par })
          return (
            <li key={id}>
              <a href={href}>{t.notification(absorvido.numero_notificacao)}</a>{' '}
              <small>{t.since(new Date(feita_em))}</small>
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** Of a case that is not there: the merge that absorbed it. Undefined while it is asked for, null where there is none. */
export function useAbsorption(id: number | null, isMissing: boolean): Fusao | null | undefined {
  const isAsked = isMissing && id !== null && holds(['agravos.duplicidades'])
  const { data, error } = useQuery({
    queryKey: ['caso', id, 'fusao'],
    queryFn: async ({ signal }) => (await askFusoes({ absorvido_id: id as number }, signal))[0] ?? null,
    enabled: isAsked,
    placeholderData: () => undefined,
  })
  return isAsked && error === null ? data : null
}

/** The way to the case that remained. */
export function Absorbed({ fusao: { principal } }: { fusao: Fusao }) {
  return (
    <a class="button primary" href={pathTo(PATHS.caso, { id: principal.id })}>
      {casoParesTexts().remained(principal.numero_notificacao)}
    </a>
  )
}

export const absorbedText = ({ principal, absorvido, feita_em }: Fusao): string =>
  casoParesTexts().absorbed(absorvido.numero_notificacao, principal.numero_notificacao, new Date(feita_em))
