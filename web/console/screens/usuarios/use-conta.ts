import { tagged } from '../../state/tagged.ts'
import { useVersions } from '../../ui/versions.tsx'
import type { Form, Worded } from '../../ui/versions-dialog.tsx'
import type { Usuario, UsuarioAberto } from './usuario-texts.ts'

interface ContaProps<F extends Form> {
  conta: UsuarioAberto
  formOf(conta: Usuario): F
  put(
    changed: Partial<F>,
    asked: { params: { id: number } },
    options: { ifMatch: string | null },
  ): Promise<unknown>
  words(field: keyof F & string, value: unknown): Worded
  onMerged(form: F): void
  onError(error: unknown): void
  onDone(): void
}

/** Form over one version of an account. */
export function useConta<F extends Form>({ conta, put, ...rest }: ContaProps<F>) {
  const asked = { params: { id: conta.id } }
  return useVersions<Usuario, F>({
    opened: conta,
    read: () => tagged('/api/v1/usuarios/{id}', asked),
    about: ({ id, updated_at }) => ({ recurso: 'usuario', id, em: updated_at }),
    put: (changed, ifMatch) => put(changed, asked, { ifMatch }),
    ...rest,
  })
}
